import { entryColumns, entryRow, isEntry } from '../index/entry-row.ts';
import { shortId } from '../index/short-id.ts';
import type { Connection, Statement } from '../open/connection.ts';
import { type Column, chunksOf, column, namesOf, valuesList, valuesOf } from './write-statements.ts';

/** Two texts: an entry and the id of its resource, or a locale and a word. */
export type Pair = readonly [string, string];

/** For any number of pairs at once. */
export const textsOfAll = {
  'lose-entries': `DELETE FROM ordered_value o USING unnest($2::bigint[], $3::text[], $4::text[]) AS n (place, key, id)
    WHERE o.project_key = $1 AND ${isEntry('n')}`,
  'gain-entries': `INSERT INTO ordered_value (project_key, place, key, id)
    SELECT $1::text, n.place, decode(n.key, 'hex'), decode(n.id, 'hex')
    FROM unnest($2::bigint[], $3::text[], $4::text[]) AS n (place, key, id)`,
  'add-words': `INSERT INTO word (project_key, locale, word)
    SELECT $1::text, n.locale, n.word FROM unnest($2::text[], $3::text[]) AS n (locale, word) ON CONFLICT DO NOTHING`,
} as const;

type PairStatement = keyof typeof textsOfAll;

/** Runs one of the statements on pairs. */
export async function runPairs(
  connection: Connection,
  projectKey: string,
  name: PairStatement,
  pairs: readonly Pair[],
): Promise<void> {
  if (pairs.length === 0) return;
  if (connection.projectsApart && name !== 'lose-entries') {
    const parts = rowForms[name].isUnique ? partsOf(pairs) : chunksOf(pairs);
    await Promise.all(parts.map((part) => connection.run(rowsStatement(connection, projectKey, name, part))));
    return;
  }
  const columns =
    name === 'add-words'
      ? [pairs.map(([locale]) => locale), pairs.map(([, word]) => word)]
      : entryColumns(pairs, connection.terms);
  await connection.run({ name, text: textsOfAll[name], values: [projectKey, ...columns] });
}

/**
 * Adds words to the vocabulary, in one order everywhere, so that two processes that add the same ones wait for each other
 * without a deadlock.
 */
export function addWords(connection: Connection, projectKey: string, pairs: readonly Pair[]): Promise<void> {
  return runPairs(connection, projectKey, 'add-words', inOrder(pairs));
}

function inOrder(pairs: readonly Pair[]): readonly Pair[] {
  const unique = new Map(pairs.map((pair) => [pair.join('|'), pair]));
  return [...unique.values()].sort(
    ([aLocale, a], [bLocale, b]) => compareTexts(aLocale, bLocale) || compareTexts(a, b),
  );
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Pairs of one statement that has a row for each. */
const maxRows = 256;

/** Parts whose lengths are powers of two, so that few statements have to be prepared. The last pair is there again. */
export function partsOf(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  const parts: Pair[][] = [];
  for (let at = 0; at < pairs.length; at += maxRows) {
    const part = pairs.slice(at, at + maxRows);
    const size = 2 ** Math.ceil(Math.log2(part.length));
    parts.push([...part, ...Array<Pair>(size - part.length).fill(part.at(-1)!)]);
  }
  return parts;
}

interface RowForm {
  readonly table: string;
  /** A row that is there already, or twice in a statement, is not added once more. */
  readonly isUnique: boolean;
  readonly columns: readonly Column<readonly [...Pair, Connection]>[];
}

const rowForms: Readonly<Record<Exclude<PairStatement, 'lose-entries'>, RowForm>> = {
  'gain-entries': {
    table: 'ordered_value',
    isUnique: false,
    columns: [
      column('place', 'bigint', ([entry, , { terms }]) => entryRow(entry, terms).place),
      column('key', 'bytea', ([entry, , { terms }]) => `\\x${entryRow(entry, terms).key}`),
      column('id', 'bytea', ([, id]) => `\\x${shortId(id)}`),
    ],
  },
  'add-words': {
    table: 'word',
    isUnique: true,
    columns: [column('locale', 'text', ([locale]) => locale), column('word', 'text', ([, word]) => word)],
  },
};

/**
 * The same with a row of VALUES for each pair. A cluster does not pass `INSERT … SELECT` on: it fetches the rows, sends
 * them back, and commits in two phases, which takes four times as long.
 */
function rowsStatement(
  connection: Connection,
  projectKey: string,
  kind: keyof typeof rowForms,
  pairs: readonly Pair[],
): Statement {
  const { table, columns, isUnique } = rowForms[kind];
  const name = `${kind}-${pairs.length}`;
  const text = `INSERT INTO ${table} (project_key, ${namesOf(columns)})
      VALUES ${valuesList(columns, pairs.length, '$1, ')}${isUnique ? ' ON CONFLICT DO NOTHING' : ''}`;
  const items = pairs.map((pair) => [...pair, connection] as const);
  return { name, text, values: [projectKey, ...valuesOf(columns, items)] };
}
