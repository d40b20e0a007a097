import { type Decay, decayFactor, decayStep } from '../../../domain/search/boosts.ts';
import { eachDocument } from '../../query/rows.ts';
import type { SearchBase } from '../query-terms.ts';
import { Column, type ColumnMaker, FollowedColumn } from './column.ts';
import { rowsOfProject } from './term-entries.ts';

/** What a decay needs of each row (`decayStep`). */
function decayColumn(decay: Decay): ColumnMaker {
  return {
    build: rowsOfProject,
    read: (document) => [decayStep(document, decay) ?? 0],
    bytes: () => 0,
  };
}

/** The factors of some rows by a decay, in their order: of a column once it is built, until then of the documents. */
export function decayFactors(context: SearchBase, decay: Decay, rows: Uint32Array, hour: number): Float64Array {
  const maker = decayColumn(decay);
  // Neither a factor nor a half-life is in the column.
  const name = `decay ${JSON.stringify({ ...decay, factor: 0, halfLifeDays: 0 })}`;
  const make = () => new FollowedColumn(context, maker);
  const ready = context.cache.columns.of(context, context.commits, name, rows.length, make);
  const column = ready?.column ?? new Column();
  if (!ready) {
    eachDocument(context, rows, (document, row) => {
      context.deadline.checkNow();
      column.setValues(row, maker.read(document));
    });
  }
  return Float64Array.from(rows, (row) => decayFactor(decay, column.rows.get(row) || undefined, hour));
}
