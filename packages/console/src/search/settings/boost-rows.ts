import { optionsOf } from '../../components/inputs/choice.tsx';
import type { BoostRow } from './draft.ts';
import type { Cell } from './rows.tsx';

const kinds = optionsOf({ where: 'those that match', recent: 'recent ones', near: 'those near a number' });
const subjects = { where: 'Predicate', recent: 'Path of a date', near: 'Path of a number' } as const;
const examples = { where: 'inStock = true', recent: 'createdAt', near: 'price' } as const;

/** The inputs of a boost: for a predicate, for what is recent, or for what is near a number. */
export function boostCells(row: BoostRow, place: string): readonly Cell<BoostRow>[] {
  const { kind } = row;
  const cell = (name: keyof BoostRow, label: string, rest: Partial<Cell<BoostRow>> = {}): Cell<BoostRow> => ({
    ...{ label, class: 'short', value: row[name], places: [`${place}.${name}`], ...rest },
    next: (value) => ({ ...row, [name]: value }),
  });
  const ofKind = {
    where: [],
    recent: [cell('halfLifeDays', 'Half-life')],
    near: [cell('origin', 'Origin'), cell('scale', 'Scale')],
  };
  return [
    cell('kind', 'Boost', { options: kinds }),
    cell('subject', subjects[kind], { class: 'grow code', placeholder: examples[kind], places: [`${place}.${kind}`] }),
    ...ofKind[kind],
    cell('factor', 'Factor'),
  ];
}
