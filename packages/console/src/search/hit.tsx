import type { Explanation, Highlight, ResultGroup } from 'generic-resource-service-client/api-types';
import { briefly, type JsonMap } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { PlaceLink } from '../components/place-link.tsx';
import { nameOf } from '../model/names.ts';
import { type Column, ListTable } from '../table/list-table.tsx';
import type { Rung } from './found.ts';

interface HitProps {
  readonly projectKey: string;
  readonly hit: JsonMap;
  readonly language: string;
  /** From 1 on. */
  readonly position: number;
  readonly highlights: readonly Highlight[];
  readonly explanation: Explanation | undefined;
  readonly group: ResultGroup | undefined;
  readonly isStaged: boolean;
}

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** A hit as a shop would show it, and below it why it is here. */
export function Hit({ projectKey, hit, language, position, highlights, explanation, group, isStaged }: HitProps) {
  const title = nameOf(hit, language);
  const own = highlights.find(
    ({ path }) => path === `name.${language}` || path === 'name' || path === `title.${language}`,
  );
  const others = highlights.filter((one) => one !== own);
  const query = new URLSearchParams(isStaged ? { tab: 'staged' } : {});
  return (
    <li>
      <span class="position" aria-hidden="true">
        {position}
      </span>
      <div class="hit">
        <div class="bar">
          <PlaceLink to={{ projectKey, room: 'resources', item: hit.id as string, query }} class="hit-title">
            {own ? <Marked html={own.html} /> : title}
          </PlaceLink>
          {explanation?.pinned && <span class="badge">pinned</span>}
          {group && group.count > 1 && <span class="badge">{texts.search.grouped(group.count - 1, group.value)}</span>}
          {explanation && explanation.rung !== 'all' && <RungBadge rung={explanation.rung} />}
        </div>
        <span class="hint code">{briefly(hit.key ?? hit.id)}</span>
        {others.map(({ path, html }) => (
          <p key={path}>
            <span class="hint code">{path}</span>{' '}
            <span dir="auto">
              <Marked html={html} />
            </span>
          </p>
        ))}
        {explanation && <Why title={title} explanation={explanation} />}
      </div>
    </li>
  );
}

export function RungBadge({ rung }: { readonly rung: Rung }) {
  return <span class="badge">{texts.search.rungShort[rung]}</span>;
}

function Why({ title, explanation }: { readonly title: string; readonly explanation: Explanation }) {
  const { words, score, share, boost, phrases } = explanation;
  const { forms, places } = texts.search;
  const columns: readonly Column<(typeof words)[number]>[] = [
    { name: 'Word', kind: 'head', cell: ({ word }) => word },
    {
      name: 'Found as',
      cell: ({ matched, form = '' }) => (matched === undefined ? 'not there' : `${matched} (${forms[form] ?? form})`),
    },
    {
      name: 'In',
      cell: ({ path, place }) => (
        <>
          {path !== undefined && <code>{path}</code>}
          {place !== undefined && <span class="hint"> {places[place] ?? place}</span>}
        </>
      ),
    },
    { name: 'Rarity', kind: 'number', cell: ({ weight }) => number(weight) },
    { name: 'Form', kind: 'number', cell: ({ factor }) => `× ${number(factor)}` },
    { name: 'Place', kind: 'number', cell: ({ field }) => `× ${number(field)}` },
    { name: 'Score', kind: 'number', cell: ({ score: own }) => number(own) },
  ];
  return (
    <details class="why">
      <summary aria-label={`${texts.search.why(number(score))}. ${texts.search.whyOf(title)}`}>
        {texts.search.why(number(score))}
      </summary>
      <ListTable label={texts.search.whyOf(title)} rows={words} keyOf={({ word }) => word} columns={columns} />
      {phrases && <p class="hint">{`It has ${phrases.map((phrase) => `“${phrase}”`).join(', ')} word for word.`}</p>}
      {boost !== 1 && <p class="hint">{`The settings multiply the scores of this resource by ${number(boost)}.`}</p>}
      <p class="hint">
        {share < 1
          ? `The score is the sum of the words. On this rung it counts with the share of the words that are there: ${number(share)}.`
          : 'The score is the sum of the words: how rare the word is, times how it is written, times where it stands (names before attributes before texts, short ones before long ones, and the weights of the settings).'}
      </p>
    </details>
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'" };

const plain = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|apos|#39);/g, (_, name: string) => entities[name] ?? '');

/**
 * A highlight of the API as text with marks. The page takes no HTML, so the marks are made anew: nothing in a document can
 * be more than text.
 */
function Marked({ html }: { readonly html: string }) {
  const pieces = html.split(/<mark>(.*?)<\/mark>/s);
  // The odd ones were between marks.
  return <>{pieces.map((piece, at) => (at % 2 === 1 ? <mark key={`${at}`}>{plain(piece)}</mark> : plain(piece)))}</>;
}
