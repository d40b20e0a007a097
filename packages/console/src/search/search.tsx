import type { SearchMatch } from 'generic-resource-service-client/api-types';
import { pathOf } from '../api/client.ts';
import { place, setPage, setQuery } from '../app/router.ts';
import { areRightsKnown, call, read, scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Problem } from '../components/problem.tsx';
import { useRead } from '../model/use-read.ts';
import { Facet } from './facet.tsx';
import { type Found, foundOf, rungs } from './found.ts';
import { Hit } from './hit.tsx';
import { SearchForm } from './search-form.tsx';
import { facetsOf, hasChosen, languageOf, pageSize, searchQuery, withoutChosen } from './search-query.ts';
import { SearchedTexts } from './searched-texts.tsx';
import { SettingsRoom } from './settings/settings-room.tsx';

/** The API skips no more than that. */
const maxOffset = 10_000;

/** The room to try searches in: what a shop would find, by which of its rules, and in which order; and its settings. */
export function Search({ projectKey }: { readonly projectKey: string }) {
  if (place.value.item === 'searches') return <SearchedTexts projectKey={projectKey} />;
  if (place.value.item === 'settings') return <SettingsRoom projectKey={projectKey} />;
  return <Workbench projectKey={projectKey} />;
}

function Workbench({ projectKey }: { readonly projectKey: string }) {
  const { query } = place.value;
  const path = pathOf(projectKey, 'resource', 'searchApiPattern');
  const { value: found, problem } = useRead(
    async (signal) => foundOf((await call(projectKey, { path, query: searchQuery(query), signal })).body),
    `${projectKey} ${searchQuery(query)}`,
  );

  return (
    <div class="page">
      <div class="bar">
        <h1>{texts.rooms.search}</h1>
        <span class="space" />
        <CopyAs call={() => ({ path, query: searchQuery(query) })} />
        {(scopes.value.has('manage_project') || !areRightsKnown.value) &&
          Object.entries(texts.search.parts).map(([item, name]) => (
            <PlaceLink
              key={item}
              to={{ projectKey, room: 'search', item, query: new URLSearchParams() }}
              class={areRightsKnown.value ? '' : 'reserved'}
            >
              {name}
            </PlaceLink>
          ))}
      </div>
      <SearchForm />
      <Problem text={problem} isCode />
      {found && problem === '' && <Answer projectKey={projectKey} found={found} />}
    </div>
  );
}

function Answer({ projectKey, found }: { readonly projectKey: string; readonly found: Found }) {
  const { query } = place.value;
  // The offset is that of the answer: the address is ahead of it while the next page is read.
  const { results, offset, total, next, match, facets, groups, highlights, explanations } = found;
  const language = languageOf(query);
  const asked = facetsOf(query.get('facets') ?? '');
  const isText = (query.get('text') ?? '').trim() !== '';
  const number = `${total.toLocaleString('en')} ${query.get('group') ? 'groups found' : 'found'}`;
  // A page may be shorter than it was asked for: where documents are large.
  const end = offset + results.length;
  const isCut = next !== undefined && end > maxOffset;
  return (
    <>
      {!isText && (
        <p class="hint">
          <strong>Type what a customer would type.</strong> You see what a shop finds: which hits, in which order, and
          why. Without words, all resources are listed, the newest first. What you choose is in the address: send it to
          a colleague.
        </p>
      )}
      <div class={Object.keys(facets).length > 0 ? 'found' : 'found alone'}>
        <section aria-label="Hits">
          <p role="status" class="total">
            {results.length === 0 && offset === 0 ? 'Nothing found.' : number}
          </p>
          {match && <Ladder match={match} />}
          {results.length === 0 && offset === 0 && <Nothing projectKey={projectKey} isText={isText} />}
          <ol class="hits">
            {results.map((hit, at) => (
              <Hit
                key={hit.id as string}
                projectKey={projectKey}
                hit={hit}
                language={language}
                position={offset + at + 1}
                highlights={highlights[hit.id as string] ?? []}
                explanation={explanations[hit.id as string]}
                group={groups[at]}
                isStaged={query.get('staged') === 'true'}
              />
            ))}
          </ol>
          {(offset > 0 || next !== undefined) && (
            <nav class="bar" aria-label={number}>
              <Button
                label="Previous"
                isDisabled={offset === 0}
                onClick={() => setQuery({ offset: String(Math.max(0, offset - pageSize) || '') }, false)}
              />
              <span>{`${offset + 1}–${end}`}</span>
              <Button
                label="Next"
                isDisabled={next === undefined || end > maxOffset}
                onClick={() => setQuery({ offset: String(end) }, false)}
              />
              {isCut && <span class="hint">Pages end here. Narrow the search to see other hits.</span>}
            </nav>
          )}
        </section>
        <aside aria-label={texts.search.options}>
          {hasChosen(query) && <Button label="Clear what is chosen" onClick={() => setPage(withoutChosen(query))} />}
          {Object.entries(facets).map(([name, facet]) => (
            <Facet key={name} name={name} facet={facet} asked={asked.find((one) => one.name === name)} />
          ))}
        </aside>
      </div>
    </>
  );
}

const countOf = (count: number): string => count.toLocaleString('en');

/** The rungs that the search took, what each found, and what it made of the words. */
function Ladder({ match }: { readonly match: SearchMatch }) {
  let before = 0;
  const lines = rungs.map((rung) => {
    const total = match.totals[rung];
    const more = total === undefined ? 0 : total - before;
    before = total ?? before;
    return { rung, total, more };
  });
  const corrected = Object.entries(match.corrected);
  return (
    <section class="ladder card" aria-label="How it was found">
      <ol>
        {lines.map(({ rung, total, more }) => (
          <li key={rung} class={`between ${total === undefined ? 'untaken' : rung === match.rung ? 'last' : ''}`}>
            <span>{texts.search.rungs[rung]}</span>
            <span class="number">
              {total === undefined
                ? 'not taken'
                : rung === 'all'
                  ? countOf(total)
                  : `${countOf(total)} (${countOf(more)} more)`}
            </span>
          </li>
        ))}
      </ol>
      {corrected.map(([from, to]) => (
        <p key={from} dir="auto">
          {`“${from}” was read as “${to}”`}
        </p>
      ))}
      {match.dropped.length > 0 && <p dir="auto">{texts.search.dropped(match.dropped)}</p>}
      {match.ignored && <p dir="auto">{texts.search.ignored(match.ignored)}</p>}
    </section>
  );
}

/** Suggestions for a search without hits. */
function Nothing({ projectKey, isText }: { readonly projectKey: string; readonly isText: boolean }) {
  const { query } = place.value;
  const text = query.get('text') ?? '';
  // Without a suggestion the page says as much as it did.
  const { value, isAnswered } = useRead(
    (signal) => {
      const asked = new URLSearchParams({ [`text.${languageOf(query)}`]: text, limit: '1' });
      const path = pathOf(projectKey, 'resource', 'suggestions');
      return read<{ didYouMean?: string }>(projectKey, { path, query: asked, signal });
    },
    isText && !hasChosen(query) ? text : undefined,
  );
  const meant = isAnswered ? value?.didYouMean : undefined;
  if (hasChosen(query)) return <p class="hint">No hit has all of the chosen values.</p>;
  if (!isText) {
    return (
      <p>
        {texts.resources.emptyProject}{' '}
        <PlaceLink to={{ projectKey, room: 'resources', query: new URLSearchParams() }}>Begin with some</PlaceLink>
      </p>
    );
  }
  return (
    <>
      {meant !== undefined && (
        <p>
          Did you mean{' '}
          <button type="button" class="plain link" onClick={() => setQuery({ text: meant }, false)}>
            {meant}
          </button>
        </p>
      )}
      <p class="hint">
        Try fewer words, “With typos”, or “Most” of the words; or teach the search a synonym in the settings.
      </p>
    </>
  );
}
