import type { Facet as ApiFacet } from 'generic-resource-service-client/api-types';
import { useState } from 'preact/hooks';
import { place, setPage } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { Check } from '../components/inputs/fields.tsx';
import { type AskedFacet, chosenOf, toggled } from './search-query.ts';

interface FacetProps {
  readonly name: string;
  readonly asked: AskedFacet | undefined;
  readonly facet: ApiFacet;
}

interface Line {
  /** The value that choosing the line filters by. */
  readonly value: string;
  readonly label: string;
  readonly count: number;
  /** From 1 on. */
  readonly level: number;
}

/** Lines that are shown before somebody asks for all. */
const fewLines = 10;

function linesOf(facet: ApiFacet): readonly Line[] {
  if (facet.type === 'filter') return [];
  if (facet.type === 'range') {
    return facet.ranges.map(({ fromStr, toStr, count }) => {
      const label = `${fromStr || texts.search.open} – ${toStr || texts.search.open}`;
      return { value: `${fromStr || '*'} to ${toStr || '*'}`, label, count, level: 1 };
    });
  }
  return facet.terms.map(({ term, count, ...category }) => {
    const level = 'level' in category ? category.level : 1;
    return { value: term, label: term.split(' > ')[level - 1] ?? term, count, level };
  });
}

/** Categories below those that contain them; the API sends them by count. */
function inTree(lines: readonly Line[]): readonly Line[] {
  const below = (parent: string | undefined, level: number): readonly Line[] =>
    lines
      .filter((line) => line.level === level && (parent === undefined || line.value.startsWith(`${parent} > `)))
      .flatMap((line) => [line, ...below(line.value, level + 1)]);
  return below(undefined, Math.min(...lines.map(({ level }) => level)));
}

const countOf = (count: number): string => count.toLocaleString('en');

/** The values of a facet with counts: values of one facet add up, those of several narrow. */
export function Facet({ name, asked, facet }: FacetProps) {
  const [isWhole, setWhole] = useState(false);
  const page = place.value.query;
  const path = asked?.path ?? name;
  const chosen = chosenOf(page, path);
  const all = facet.type === 'tree' ? inTree(linesOf(facet)) : linesOf(facet);
  const lines = isWhole ? all : all.filter(({ value }, at) => at < fewLines || chosen.includes(value));
  // A chosen value without hits stays visible, so that it can be cleared.
  const lost = chosen.filter((value) => !all.some((line) => line.value === value));
  const shown = [...lines, ...lost.map((value) => ({ value, label: value, count: 0, level: 1 }))];
  const isChoice = asked !== undefined && asked.kind !== 'filter';
  const total = facet.type === 'filter' ? facet.count : undefined;
  const { other, missing } = { other: 0, missing: 0, ...facet };
  const number = (count: number) => <span class="number">{countOf(count)}</span>;
  return (
    <fieldset class="facet">
      <legend>{name}</legend>
      {total !== undefined && number(total)}
      {shown.length === 0 && total === undefined && <p class="hint">No resource has this field.</p>}
      <ul>
        {shown.map((line) => {
          const text = (
            <>
              <span class="grow wraps" dir="auto" title={line.value}>
                {line.label}
              </span>
              {number(line.count)}
            </>
          );
          return (
            <li key={line.value} class="between" style={{ paddingInlineStart: `${line.level - 1}rem` }}>
              {isChoice ? (
                <Check
                  label={text}
                  isChecked={chosen.includes(line.value)}
                  onChange={() => setPage(toggled(page, path, line.value))}
                />
              ) : (
                <span class="check">{text}</span>
              )}
            </li>
          );
        })}
      </ul>
      {all.length > fewLines && (
        <button type="button" class="plain" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Fewer' : `All ${all.length}`}
        </button>
      )}
      {other > 0 && <p class="hint">{`${countOf(other)} in other values`}</p>}
      {missing > 0 && <p class="hint">{`${countOf(missing)} without a value`}</p>}
    </fieldset>
  );
}
