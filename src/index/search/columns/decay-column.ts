import { exactNumber } from '../../../domain/json/number.ts';
import { arrayTestNames } from '../../../domain/predicate/path.ts';
import type { Scalar } from '../../../domain/predicate/scalar.ts';
import { betterStep, type Decay, decayFactor, decayPath, decayStep, stepOf } from '../../../domain/search/boosts.ts';
import { columns, systemColumnOf } from '../../plan/compile-column.ts';
import { sql } from '../../plan/sql.ts';
import { wholeRange } from '../../query/lookup.ts';
import { eachDocument } from '../../query/rows.ts';
import { eachArray } from '../../query/statements.ts';
import { numberOfKey } from '../../terms/order-key.ts';
import { encodePath, unescapeText } from '../../terms/term-encoding.ts';
import type { SearchBase, SearchScope } from '../query-terms.ts';
import { Column, type ColumnMaker, FollowedColumn } from './column.ts';
import { eachEntry, rowsOfProject, rowsStaged } from './term-entries.ts';

/** What a decay needs of each row (`decayStep`). */
function decayColumn(decay: Decay): ColumnMaker {
  return {
    build: (scope, column, progress) => buildFromIndex(scope, column, decay, progress),
    read: (document) => [decayStep(document, decay) ?? 0],
    bytes: () => 0,
  };
}

/** Reads the instants or numbers of the path; returns the rows whose documents must be read instead. */
function buildFromIndex(scope: SearchScope, column: Column, decay: Decay, progress: () => void): Iterable<number> {
  const { db, projectKey } = scope;
  const path = decayPath(decay);
  const system = systemColumnOf(path);
  if ('recent' in decay && (system === 'createdAt' || system === 'lastModifiedAt')) {
    const instants = sql`SELECT r.row, ${columns[system]} FROM resource r WHERE r.project_key = ${projectKey}`;
    for (const [row, value] of eachArray<readonly [number, string]>(db, instants)) {
      column.rows.set(row, stepOf(decay, { type: 'instant', value }) ?? 0);
    }
    return [];
  }
  if (system || arrayTestNames.has(path[0]!)) return rowsOfProject(scope);
  const encoded = encodePath(path);
  const unclear = new Set<number>(rowsStaged(scope));
  eachEntry(scope, 'c', wholeRange(encoded, 'recent' in decay ? 't' : 'n'), progress, (term, rows) => {
    const scalar = scalarOf(decay, term.slice(encoded.length + 2));
    const step = scalar && stepOf(decay, scalar);
    if (step === undefined) for (const row of rows) unclear.add(row);
    else column.rows.setAll(rows, step, (row) => column.rows.set(row, betterStep(decay, column.rows.get(row), step)));
  });
  return unclear;
}

function scalarOf(decay: Decay, end: string): Scalar | undefined {
  if ('recent' in decay) return { type: 'instant', value: unescapeText(end) };
  const number = numberOfKey(end);
  return number === undefined ? undefined : { type: 'number', value: exactNumber(number) };
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
