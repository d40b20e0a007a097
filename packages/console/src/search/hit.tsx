import { briefly, type JsonMap } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { PlaceLink } from '../components/place-link.tsx';
import { type Column, ListTable } from '../table/list-table.tsx';
import { type Explanation, type Highlight, type Rung, titleOf } from './found.ts';
import { Marked } from './marked.tsx';

interface HitProps {
  readonly projectKey: string;
  readonly hit: JsonMap;
  readonly language: string;
  /** From 1 on. */
  readonly position: number;
  readonly highlights: readonly Highlight[];
  readonly explanation: Explanation | undefined;
  readonly isStaged: boolean;
}

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** A hit as a shop would show it, and below it why it is here. */
export function Hit({ projectKey, hit, language, position, highlights, explanation, isStaged }: HitProps) {
  const title = titleOf(hit, language);
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
          {explanation && explanation.rung !== 'all' && <RungBadge rung={explanation.rung} />}
        </div>
        <span class="hint code">{briefly(hit.key ?? hit.id)}</span>
        {others.map(({ path, html }) => (
          <p key={path} class="excerpt">
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
  const { words, score, share, boost } = explanation;
  const { forms, places } = texts.search;
  const columns: readonly Column<(typeof words)[number]>[] = [
    { name: texts.search.whyWord, kind: 'head', cell: ({ word }) => word },
    {
      name: texts.search.whyFound,
      cell: ({ matched, form = '' }) =>
        matched === undefined ? texts.search.whyAbsent : `${matched} (${forms[form] ?? form})`,
    },
    {
      name: texts.search.whyField,
      cell: ({ path, place }) => (
        <>
          {path !== undefined && <code>{path}</code>}
          {place !== undefined && <span class="hint"> {places[place] ?? place}</span>}
        </>
      ),
    },
    { name: texts.search.whyWeight, kind: 'number', cell: ({ weight }) => number(weight) },
    { name: texts.search.whyForm, kind: 'number', cell: ({ factor }) => `× ${number(factor)}` },
    { name: texts.search.whyPlace, kind: 'number', cell: ({ field }) => `× ${number(field)}` },
    { name: texts.search.whyScore, kind: 'number', cell: ({ score: own }) => number(own) },
  ];
  return (
    <details class="why">
      <summary aria-label={`${texts.search.why(number(score))}. ${texts.search.whyOf(title)}`}>
        {texts.search.why(number(score))}
      </summary>
      <ListTable label={texts.search.whyOf(title)} rows={words} keyOf={({ word }) => word} columns={columns} />
      {boost !== 1 && <p class="hint">{texts.search.whyBoost(number(boost))}</p>}
      <p class="hint">{share < 1 ? texts.search.whyShare(number(share)) : texts.search.whyHint}</p>
    </details>
  );
}
