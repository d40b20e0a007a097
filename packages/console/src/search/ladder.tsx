import type { SearchMatch } from 'generic-resource-service-client/api-types';
import { texts } from '../app/texts.ts';
import { rungs } from './found.ts';

const countOf = (count: number): string => count.toLocaleString('en');

/** The rungs that the search took, what each found, and what it made of the words. */
export function Ladder({ match }: { readonly match: SearchMatch }) {
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
    </section>
  );
}
