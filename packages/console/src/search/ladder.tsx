import type { SearchMatch } from 'generic-resource-service-client/api-types';
import { texts } from '../app/texts.ts';
import { totalText } from '../model/counts.ts';
import { type Rung, rungs } from './found.ts';

/** The rungs that the search took, what each found, and what it made of the words. */
export function Ladder({ match }: { readonly match: SearchMatch }) {
  let before = 0;
  const lines = rungs.map((rung) => {
    const total = match.totals[rung];
    const more = total === undefined ? 0 : total - before;
    before = total ?? before;
    return { rung, total, more };
  });
  const isLeast = (rung: Rung) => match.totalRelation === 'gte' && rung === match.rung;
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
                  ? totalText(total, isLeast(rung))
                  : `${totalText(total, isLeast(rung))} (${totalText(more, isLeast(rung))} more)`}
            </span>
          </li>
        ))}
      </ol>
      {match.ranked !== undefined && (
        <p>{`Only ${match.ranked.toLocaleString('en')} of them were ranked, those with the words in their names first; pages end behind these.`}</p>
      )}
      {corrected.map(([from, to]) => (
        <p key={from} dir="auto">
          {`“${from}” was read as “${to}”`}
        </p>
      ))}
      {match.dropped.length > 0 && <p dir="auto">{texts.search.dropped(match.dropped)}</p>}
    </section>
  );
}
