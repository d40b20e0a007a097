import { texts } from '../app/texts.ts';
import { type Match, rungs } from './found.ts';

/** The rungs that the search took, what each found, and what it made of the words. */
export function Ladder({ match }: { readonly match: Match }) {
  let before = 0;
  const lines = rungs.map((rung) => {
    const total = match.totals[rung];
    const more = total === undefined ? 0 : total - before;
    before = total ?? before;
    return { rung, total, more };
  });
  const corrected = Object.entries(match.corrected);
  return (
    <section class="ladder" aria-label={texts.search.ladder}>
      <ol>
        {lines.map(({ rung, total, more }) => (
          <li key={rung} class={total === undefined ? 'untaken' : rung === match.rung ? 'last' : ''}>
            <span>{texts.search.rungs[rung]}</span>
            <span class="number">
              {total === undefined
                ? texts.search.notTaken
                : rung === 'all'
                  ? total.toLocaleString('en')
                  : texts.search.rungTotal(total.toLocaleString('en'), more.toLocaleString('en'))}
            </span>
          </li>
        ))}
      </ol>
      {corrected.map(([from, to]) => (
        <p key={from} dir="auto">
          {texts.search.corrected(from, to)}
        </p>
      ))}
      {match.dropped.length > 0 && <p dir="auto">{texts.search.dropped(match.dropped)}</p>}
    </section>
  );
}
