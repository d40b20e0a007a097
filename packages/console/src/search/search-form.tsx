import { useEffect, useRef, useState } from 'preact/hooks';
import { place, setQuery } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Form } from '../components/form.tsx';
import { Choice } from '../components/inputs/choice.tsx';
import { Check, TextInput } from '../components/inputs/fields.tsx';
import { KeptInput } from '../components/inputs/kept-input.tsx';

const noPage = { offset: undefined };

/** How to search: all of it is in the address. */
export function SearchForm() {
  const { query } = place.value;
  const [text, setText] = useState(query.get('text') ?? '');
  const [facets, setFacets] = useState(query.get('facets') ?? '');
  /** The values that this form has put into the address: only changes from elsewhere replace the inputs. */
  const own = useRef({ text, facets });
  useEffect(() => {
    const asked = { text: query.get('text') ?? '', facets: query.get('facets') ?? '' };
    if (asked.text !== own.current.text) setText(asked.text);
    if (asked.facets !== own.current.facets) setFacets(asked.facets);
    own.current = asked;
  }, [query]);
  const put = (changes: { readonly text?: string; readonly facets?: string }, replace = true) => {
    own.current = { ...own.current, ...changes };
    setQuery({ ...changes, ...noPage }, replace);
  };
  const flag = (name: string, label: string) => (
    <Check
      label={label}
      isChecked={query.get(name) === 'true'}
      onChange={(is) => setQuery({ [name]: is ? 'true' : undefined, ...noPage })}
    />
  );
  const choice = (name: 'match' | 'fuzzyLevel', label: string, options: Readonly<Record<string, string>>) => (
    <Choice
      label={label}
      value={query.get(name) ?? ''}
      options={Object.entries(options).sort(([a], [b]) => Number(b === '') - Number(a === ''))}
      onChoose={(value) => setQuery({ [name]: value, ...noPage })}
    />
  );
  return (
    <search>
      <Form class="filter" onSubmit={() => put({ text, facets }, false)}>
        <TextInput
          label={<span>Search for</span>}
          class="grow"
          type="search"
          spellcheck
          value={text}
          onInput={(value) => {
            setText(value);
            if (query.get('prefix') === 'true') put({ text: value });
          }}
        />
        <KeptInput
          label="Language"
          class="language"
          value={query.get('language') ?? 'en'}
          onCommit={(language) => setQuery({ language, ...noPage })}
        />
        <Button isSubmit label="Search" kind="main" />
        <p class="hint whole">
          <code>"new york"</code> finds the words side by side, <code>-white</code> leaves out what has the word.
        </p>
        <div class="line whole">
          {choice('match', 'Words', texts.search.matches)}
          {flag('fuzzy', 'With typos')}
          {query.get('fuzzy') === 'true' && choice('fuzzyLevel', 'Edits', texts.search.levels)}
          {flag('prefix', 'While typing')}
          {flag('staged', 'What is staged')}
          <KeptInput
            label="One of each"
            placeholder="model"
            value={query.get('group') ?? ''}
            onCommit={(group) => setQuery({ group, ...noPage })}
          />
        </div>
        <details class="whole" open={facets !== ''}>
          <summary>{texts.search.options}</summary>
          <label>
            <span>Facets, one a line</span>
            <textarea
              class="code"
              spellcheck={false}
              rows={Math.max(2, Math.min(6, facets.split('\n').length))}
              placeholder={'material\ncategory:tree\nprice:range(* to 100),(100 to *)'}
              value={facets}
              onInput={(event) => setFacets(event.currentTarget.value)}
              onChange={(event) => put({ facets: event.currentTarget.value })}
            />
          </label>
          <p class="hint">
            {
              'A path such as color; category:tree for categories like “clothing > shoes”; price:range(* to 100),(100 to *) for ranges.'
            }
          </p>
        </details>
      </Form>
    </search>
  );
}
