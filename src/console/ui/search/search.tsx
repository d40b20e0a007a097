import { useEffect, useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import { briefly, isMap, type Json, type JsonMap } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { addressOf, go, place, setQuery } from '../app/router.ts';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';

interface Found {
  readonly results: readonly JsonMap[];
  readonly total: number;
  readonly facets: JsonMap;
  readonly match: Json | undefined;
}

const limit = 20;

/** The query of a search from the query of the page. */
function searchQuery(page: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams({ limit: String(limit) });
  const text = page.get('text') ?? '';
  if (text !== '') query.set(`text.${page.get('language') || 'en'}`, text);
  for (const name of ['fuzzy', 'prefix'] as const) if (page.get(name) === 'true') query.set(name, 'true');
  if (page.get('match')) query.set('match', page.get('match')!);
  for (const facet of (page.get('facets') ?? '').split(','))
    if (facet.trim() !== '') query.append('facet', facet.trim());
  for (const filter of page.getAll('filter')) query.append('filter.query', filter);
  return query;
}

/** The room to try searches in: what a shop would find, and by which of its rules. */
export function Search({ projectKey }: { readonly projectKey: string }) {
  const { query } = place.value;
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState('');
  const asked = searchQuery(query).toString();
  useEffect(() => {
    const abort = new AbortController();
    const path = pathOf(projectKey, 'resource', 'searchApiPattern');
    call(projectKey, { path, query: searchQuery(query), signal: abort.signal }).then(
      ({ body }) => {
        const { results, total, facets, match } = body as unknown as Partial<Found>;
        setFound({ results: results ?? [], total: total ?? 0, facets: facets ?? {}, match });
        setProblem('');
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(errorText(error));
      },
    );
    return () => abort.abort();
  }, [projectKey, asked]);

  return (
    <div class="page">
      <h1 class="sr">{texts.rooms.search}</h1>
      <SearchForm />
      {problem !== '' && (
        <pre class="problem" role="alert">
          {problem}
        </pre>
      )}
      {found && (
        <div class="found">
          <section>
            <p role="status">
              {found.results.length === 0 ? texts.search.none : texts.search.found(found.total.toLocaleString('en'))}
              {found.match !== undefined && <code class="match">{briefly(found.match, 300)}</code>}
            </p>
            <ol class="hits">
              {found.results.map((hit) => (
                <Hit
                  key={hit.id as string}
                  projectKey={projectKey}
                  hit={hit}
                  language={query.get('language') || 'en'}
                />
              ))}
            </ol>
          </section>
          <aside>
            {Object.entries(found.facets).map(([name, facet]) => (
              <Facet key={name} name={name} facet={facet} />
            ))}
          </aside>
        </div>
      )}
    </div>
  );
}

function SearchForm() {
  const { query } = place.value;
  const [text, setText] = useState(query.get('text') ?? '');
  const flag = (name: 'fuzzy' | 'prefix') => (
    <label class="check">
      <input
        type="checkbox"
        checked={query.get(name) === 'true'}
        onChange={(event) => setQuery({ [name]: event.currentTarget.checked ? 'true' : undefined })}
      />
      {texts.search[name]}
    </label>
  );
  return (
    <search>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ text }, false);
        }}
      >
        <label class="grow">
          <span>{texts.search.query}</span>
          <input
            type="search"
            value={text}
            dir="auto"
            onInput={({ currentTarget: { value } }) => {
              setText(value);
              if (query.get('prefix') === 'true') setQuery({ text: value });
            }}
          />
        </label>
        <label>
          <span>{texts.search.language}</span>
          <input
            size={5}
            value={query.get('language') ?? 'en'}
            onChange={(event) => setQuery({ language: event.currentTarget.value.trim() })}
          />
        </label>
        <label>
          <span>{texts.search.match}</span>
          <select
            value={query.get('match') ?? 'auto'}
            onChange={({ currentTarget: { value } }) => setQuery({ match: value === 'auto' ? undefined : value })}
          >
            {Object.entries(texts.search.matches).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {flag('fuzzy')}
        {flag('prefix')}
        <button type="submit" class="main">
          {texts.search.submit}
        </button>
        <label class="whole">
          <span>{texts.search.facet}</span>
          <input
            class="code"
            spellcheck={false}
            placeholder="category, price.centAmount:range(0 to 10000)"
            value={query.get('facets') ?? ''}
            onChange={(event) => setQuery({ facets: event.currentTarget.value })}
          />
        </label>
      </form>
    </search>
  );
}

interface HitProps {
  readonly projectKey: string;
  readonly hit: JsonMap;
  readonly language: string;
}

function Hit({ projectKey, hit, language }: HitProps) {
  const { name } = hit;
  const title = isMap(name) ? (name[language] ?? Object.values(name)[0]) : name;
  const to = { projectKey, room: 'resources', item: hit.id as string, query: new URLSearchParams() } as const;
  return (
    <li>
      <a
        href={addressOf(to)}
        dir="auto"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(to);
        }}
      >
        {briefly(title ?? hit.key ?? hit.id)}
      </a>
      <span class="hint">{briefly(hit.key ?? hit.id)}</span>
    </li>
  );
}

function Facet({ name, facet }: { readonly name: string; readonly facet: Json }) {
  const { terms, ranges, count } = (isMap(facet) ? facet : {}) as {
    terms?: readonly JsonMap[];
    ranges?: readonly JsonMap[];
    count?: number;
  };
  const lines = [
    ...(terms ?? []).map((term) => [briefly(term.term), term.count] as const),
    ...(ranges ?? []).map((range) => [`${range.fromStr || '…'} – ${range.toStr || '…'}`, range.count] as const),
    ...(terms || ranges || count === undefined ? [] : [[name, count] as const]),
  ];
  return (
    <section class="facet">
      <h2>{name}</h2>
      <ul>
        {lines.map(([text, number]) => (
          <li key={text}>
            <span dir="auto">{text}</span>
            <span class="number">{String(number)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
