import { briefly, type JsonMap } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { PlaceLink } from '../components/place-link.tsx';
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
  const { words, score, share } = explanation;
  const { forms, places } = texts.search;
  return (
    <details class="why">
      <summary aria-label={`${texts.search.why(number(score))}. ${texts.search.whyOf(title)}`}>
        {texts.search.why(number(score))}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard. */}
      <section class="scroll" aria-label={texts.search.whyOf(title)} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.search.whyWord}</th>
              <th scope="col">{texts.search.whyFound}</th>
              <th scope="col">{texts.search.whyField}</th>
              <th scope="col" class="number">
                {texts.search.whyWeight}
              </th>
              <th scope="col" class="number">
                {texts.search.whyForm}
              </th>
              <th scope="col" class="number">
                {texts.search.whyPlace}
              </th>
              <th scope="col" class="number">
                {texts.search.whyScore}
              </th>
            </tr>
          </thead>
          <tbody>
            {words.map((one) => (
              <tr key={one.word}>
                <th scope="row" dir="auto">
                  {one.word}
                </th>
                <td dir="auto">
                  {one.matched === undefined
                    ? texts.search.whyAbsent
                    : `${one.matched} (${forms[one.form ?? ''] ?? one.form ?? ''})`}
                </td>
                <td>
                  {one.path !== undefined && <code>{one.path}</code>}
                  {one.place !== undefined && <span class="hint"> {places[one.place] ?? one.place}</span>}
                </td>
                <td class="number">{number(one.weight)}</td>
                <td class="number">× {number(one.factor)}</td>
                <td class="number">× {number(one.field)}</td>
                <td class="number">{number(one.score)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="hint">{share < 1 ? texts.search.whyShare(number(share)) : texts.search.whyHint}</p>
    </details>
  );
}
