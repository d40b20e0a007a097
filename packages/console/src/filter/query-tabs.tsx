import { useState } from 'preact/hooks';
import { notify } from '../app/notices.tsx';
import { place } from '../app/router.ts';
import { focus } from '../browser/focus.ts';
import { store, storedList } from '../browser/stored.ts';
import { Button } from '../components/button.tsx';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { TextInput } from '../components/inputs/fields.tsx';
import { PlaceLink } from '../components/place-link.tsx';

/** A query that was given a name. */
interface StoredQuery {
  readonly name: string;
  /** The query of the address, such as `where=stock+%3E+1&sort=key+asc`. */
  readonly query: string;
}

/** The parameters of an address that belong to a query. The open tab of a resource does not. */
const parts = ['where', 'sort', 'staged', 'columns'] as const;

const storageName = (projectKey: string) => `queries-${projectKey}`;

/** The query of an address, in one order, so that two can be compared. */
function queryText(query: URLSearchParams): string {
  const own = new URLSearchParams();
  for (const part of parts) if (query.has(part)) own.set(part, query.get(part)!);
  return own.toString();
}

const isQuery = (one: unknown): one is StoredQuery => {
  const { name, query } = (one ?? {}) as Partial<StoredQuery>;
  return typeof name === 'string' && typeof query === 'string';
};

/** The queries that this browser keeps for a project, by name. */
const storedQueries = (projectKey: string) => storedList(storageName(projectKey), isQuery);

/** Keeps the queries. Returns false where the browser keeps nothing. */
const storeQueries = (projectKey: string, queries: readonly StoredQuery[]): boolean =>
  store(storageName(projectKey), JSON.stringify(queries));

/** The queries that were saved under a name, and the way to save this one. */
export function QueryTabs({ projectKey }: { readonly projectKey: string }) {
  const [queries, setQueries] = useState(() => storedQueries(projectKey));
  const [isNaming, setNaming] = useState(false);
  const current = queryText(place.value.query);
  const keep = (next: readonly StoredQuery[]) => {
    const sorted = [...next].sort((a, b) => a.name.localeCompare(b.name, 'en'));
    setQueries(sorted);
    if (!storeQueries(projectKey, sorted)) notify('This browser does not store data for this page.', true);
  };
  const isStored = queries.some(({ query }) => query === current);
  if (queries.length === 0 && current === '') return null;

  const link = (query: string, name: string) => (
    <PlaceLink
      to={{ ...place.value, item: undefined, query: new URLSearchParams(query) }}
      isCurrent={query === current}
    >
      {name}
    </PlaceLink>
  );
  return (
    <section class="queries" aria-label="Saved queries">
      <ul>
        <li>{link('', 'All')}</li>
        {queries.map(({ name, query }) => (
          <li key={name}>
            {link(query, name)}
            {query === current && (
              <Button
                label="×"
                kind="plain"
                spoken={`Remove the saved query ${name}`}
                title={`Remove the saved query ${name}`}
                onClick={() => keep(queries.filter((other) => other.name !== name))}
              />
            )}
          </li>
        ))}
      </ul>
      {current !== '' && !isStored && <Button label="Save this query" kind="plain" onClick={() => setNaming(true)} />}
      {isNaming && (
        <NameQuery
          taken={queries.map(({ name }) => name)}
          onClose={() => setNaming(false)}
          onName={(name) => {
            keep([...queries.filter((other) => other.name !== name), { name, query: current }]);
            setNaming(false);
          }}
        />
      )}
    </section>
  );
}

interface NameProps {
  readonly taken: readonly string[];
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a query. */
function NameQuery({ taken, onName, onClose }: NameProps) {
  const [name, setName] = useState('');
  const trimmed = name.trim();
  return (
    <FormDialog
      label="Save this query"
      submit="Save"
      isBlocked={trimmed === ''}
      onSubmit={() => onName(trimmed)}
      onClose={onClose}
    >
      <p class="hint">
        This browser stores filter, sort and columns for this project. To share a query, send its address.
      </p>
      <TextInput
        label="Name of the query"
        value={name}
        required
        maxLength={80}
        ref={focus}
        spellcheck
        onInput={setName}
      />
      {taken.includes(trimmed) && <p class="hint">This replaces the query of the same name.</p>}
    </FormDialog>
  );
}
