import { useState } from 'preact/hooks';
import { notify } from '../app/notices.tsx';
import { addressOf, follow, place } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { focus } from '../browser/focus.ts';
import { Button } from '../components/button.tsx';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { TextInput } from '../components/inputs/fields.tsx';
import { queryText, type StoredQuery, storedQueries, storeQueries } from './stored-queries.ts';

/** The queries that were saved under a name, and the way to save this one. */
export function QueryTabs({ projectKey }: { readonly projectKey: string }) {
  const [queries, setQueries] = useState(() => storedQueries(projectKey));
  const [isNaming, setNaming] = useState(false);
  const current = queryText(place.value.query);
  const store = (next: readonly StoredQuery[]) => {
    const sorted = [...next].sort((a, b) => a.name.localeCompare(b.name, 'en'));
    setQueries(sorted);
    if (!storeQueries(projectKey, sorted)) notify('This browser does not store data for this page.', true);
  };
  const isStored = queries.some(({ query }) => query === current);
  if (queries.length === 0 && current === '') return null;

  const link = (query: string, name: string) => {
    const to = { ...place.value, item: undefined, query: new URLSearchParams(query) };
    return (
      <a
        href={addressOf(to)}
        aria-current={query === current ? 'true' : undefined}
        dir="auto"
        onClick={(event) => follow(event, to)}
      >
        {name}
      </a>
    );
  };
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
                spoken={texts.filter.remove(name)}
                title={texts.filter.remove(name)}
                onClick={() => store(queries.filter((other) => other.name !== name))}
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
            store([...queries.filter((other) => other.name !== name), { name, query: current }]);
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
