import type { SlowQuery } from 'generic-resource-service-client/api-types';
import { Moment } from '../components/moment.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { duration } from './format.ts';

/** The place of the table with the same filter and sort; undefined for queries that are no lists. */
function placeOf({ projectKey, operation, parameters }: SlowQuery) {
  if (!/^(?:list|query)/.test(operation)) return undefined;
  const query = new URLSearchParams();
  const [where = '', sort = ''] = [parameters.where?.join(' and '), parameters.sort?.[0]];
  if (where !== '') query.set('where', where);
  if (sort !== '') query.set('sort', sort);
  return { projectKey, room: 'resources', query } as const;
}

function Query({ query }: { readonly query: SlowQuery }) {
  const { at, projectKey, operation, parameters, clientId, totalMs, run, error } = query;
  const place = placeOf(query);
  const asked = Object.entries(parameters).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  return (
    <li class="slow-query">
      <p class="line">
        <strong>{duration(totalMs)}</strong>
        <span>{operation}</span>
        <span class="badge">{projectKey}</span>
        {error !== undefined && <span class="badge problem">{error}</span>}
        <span class="space" />
        <span class="hint">
          <Moment at={at} />
        </span>
      </p>
      {asked.length > 0 && <pre class="code">{asked.join('\n')}</pre>}
      <ul class="plan">
        {run?.plan.map((step) => (
          <li key={step}>{step}</li>
        ))}
        {(run?.plan.length ?? 0) === 0 && (
          <li>No plan recorded: the query ran quickly once it started, or it failed.</li>
        )}
        {run?.rowsRead !== undefined && <li>{`scanned ${run.rowsRead.toLocaleString('en')} resources`}</li>}
        {run && <li>{`ran ${duration(run.ranMs)}, waited ${duration(Math.max(0, run.totalMs - run.ranMs))}`}</li>}
      </ul>
      <p class="line">
        {clientId !== undefined && <span class="hint">{`by ${clientId}`}</span>}
        {place && <PlaceLink to={place}>Open this list</PlaceLink>}
      </p>
    </li>
  );
}

/** The queries that took long, with what each did. */
export function SlowQueries({ queries }: { readonly queries: readonly SlowQuery[] }) {
  return (
    <section>
      <h2>Slow queries</h2>
      <p class="hint">
        Lists, searches and existence checks that took long, the last one first. What to do about a slow one is in the
        guide to predicates and indexes.
      </p>
      {queries.length === 0 ? (
        <p>No query was slow. Those that take longer than SLOW_QUERY_MS are listed here with what they did.</p>
      ) : (
        <ul>
          {queries.map((query) => (
            <Query key={`${query.correlationId} ${query.at}`} query={query} />
          ))}
        </ul>
      )}
    </section>
  );
}
