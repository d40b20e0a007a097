import type { HealthSample, SlowQueries, SlowQuery } from 'generic-resource-service-client/api-types';
import { serviceAddress } from '../api/base-address.ts';
import { ApiError, curlOf } from '../api/client.ts';
import { readService, session } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Moment } from '../components/moment.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Problem } from '../components/problem.tsx';
import { useRead } from '../model/use-read.ts';
import { type Column, ListTable } from '../table/list-table.tsx';
import { Chart } from './chart.tsx';
import { clock, duration, plain } from './format.ts';
import { formatOf, isRed, measureNames, measures, operationLines, readSamples } from './samples.ts';

/** The service takes a sample so often. */
const refreshMs = 10_000;

/** The health of the service over the last hour, refreshed while somebody looks. */
function useHealth() {
  const health = useRead<{ samples: readonly HealthSample[]; slow: readonly SlowQuery[] }>(
    async (signal) => {
      const samples = await readSamples(health.value?.samples ?? [], signal);
      const { results: slow } = await readService<SlowQueries>({ path: '/health/slow-queries', signal });
      return { samples, slow };
    },
    session.value?.clientId,
    { pauseMs: refreshMs },
  );
  return health;
}

function Operations({ samples }: { readonly samples: readonly HealthSample[] }) {
  const lines = operationLines(samples);
  const { health } = texts;
  const time = (ms: number | undefined) => (ms === undefined ? '–' : duration(ms));
  const columns: readonly Column<(typeof lines)[number]>[] = [
    { name: 'Operation', kind: 'head', cell: ({ name }) => name },
    { name: 'a second', kind: 'number', cell: ({ perSecond }) => plain(perSecond) },
    { name: 'Median', kind: 'number', cell: ({ p50Ms }) => time(p50Ms) },
    { name: 'p99', kind: 'number', cell: ({ p99Ms }) => time(p99Ms) },
    { name: 'Refused', kind: 'number', cell: ({ refused }) => refused.toLocaleString('en') },
    {
      name: 'Failed',
      kind: 'number',
      cell: ({ failed }) => <span class={failed > 0 ? 'problem' : ''}>{failed.toLocaleString('en')}</span>,
    },
  ];
  return (
    <section>
      <h2>{health.operations}</h2>
      <p class="hint">Of the last five minutes, the busiest first.</p>
      {lines.length === 0 ? (
        <p>No requests in the last five minutes.</p>
      ) : (
        <ListTable label={health.operations} rows={lines} keyOf={({ name }) => name} columns={columns} />
      )}
    </section>
  );
}

/** The charts as a table for screen readers, one row a minute. */
function SampleTable({ samples }: { readonly samples: readonly HealthSample[] }) {
  const perMinute = samples.filter((_, at) => (samples.length - 1 - at) % 6 === 0).reverse();
  const columns: readonly Column<HealthSample>[] = [
    { name: 'Time', kind: 'head', cell: ({ at }) => clock(at) },
    ...measureNames.map(
      (name): Column<HealthSample> => ({
        name: texts.health.charts[name].name,
        kind: 'number',
        cell: (sample) => {
          const value = measures[name](sample);
          return value === undefined ? '–' : formatOf(name)(value);
        },
      }),
    ),
  ];
  return (
    <details>
      <summary>{texts.health.table}</summary>
      <ListTable label={texts.health.table} rows={perMinute} keyOf={({ at }) => at} columns={columns} />
    </details>
  );
}

/** The place of the table with the same filter and sort; undefined for other queries than lists. */
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
function SlowQueryList({ queries }: { readonly queries: readonly SlowQuery[] }) {
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

/** The room of health. */
export function Health() {
  const { value, error, problem } = useHealth();
  const { samples, slow } = value ?? { samples: [], slow: [] };
  const isRead = value !== undefined;
  const { health } = texts;
  const red = measureNames.filter((name) => isRed(name, samples));
  const times = samples.map(({ at }) => at);
  const last = samples.at(-1);
  const minutes = Math.round(samples.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const command = () => curlOf({ path: '/health/history' }, serviceAddress());
  if (error instanceof ApiError && error.status === 403) {
    return (
      <div class="page">
        <h1>{health.heading}</h1>
        <p class="empty">Only the administrator can see the health of the service.</p>
      </div>
    );
  }
  return (
    <div class="page health">
      <div class="bar">
        <h1>{health.heading}</h1>
        {last && <span class="hint">{`As of ${clock(last.at)}`}</span>}
        <span class="space" />
        <CopyButton text={command} label={texts.copyCurl} />
      </div>
      <p class="hint">
        The last hour, from the counters of /metrics, of all processes on this machine. Held in memory; a restart clears
        it.
      </p>
      <Problem text={isRead && problem !== '' ? 'Not refreshed: the service did not answer.' : problem} />
      {isRead && samples.length === 0 && (
        <p class="empty">The first sample is taken 10 seconds after the start. This page shows it by itself.</p>
      )}
      {last && (
        <>
          <div class={red.length > 0 ? 'verdict red' : 'verdict'} role="status">
            <strong>{red.length > 0 ? health.bad(red.length) : 'Everything is healthy.'}</strong>
            {red.length > 0 && (
              <ul>
                {red.map((name) => (
                  <li key={name}>
                    <strong>{health.charts[name].name}:</strong> {health.charts[name].red}
                  </li>
                ))}
              </ul>
            )}
          </div>
          <p class="between hint">
            <span>{minutes < 2 ? '1 minute ago' : `${minutes} minutes ago`}</span>
            <span>now</span>
          </p>
          <div class="charts tiles">
            {measureNames.map((name) => (
              <Chart
                key={name}
                name={health.charts[name].name}
                meaning={health.charts[name].meaning}
                isRed={red.includes(name)}
                times={times}
                values={samples.map(measures[name])}
                format={formatOf(name)}
              />
            ))}
          </div>
          <SampleTable samples={samples} />
          <Operations samples={samples} />
        </>
      )}
      {isRead && <SlowQueryList queries={slow} />}
    </div>
  );
}
