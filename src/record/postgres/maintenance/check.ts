import { escapeText } from '../../../index/terms/term-encoding.ts';
import { documentsOf, isIntact, type StoredRow } from '../../row/stored-row.ts';
import { type Generation, pathList, type RecordedPaths, readGeneration } from '../generations/generation.ts';
import { entryColumns, entryRow, isEntry } from '../index/entry-row.ts';
import { entriesOf, type Indexed, indexColumns } from '../index/index-columns.ts';
import { encodedForms, severalEntry } from '../index/ordered-entries.ts';
import type { TermHash } from '../index/term-hash.ts';
import type { Connection } from '../open/connection.ts';
import { scanText } from '../rows.ts';
import type { OnPart, Piece } from './check-piece.ts';

/** Rows that are read at once. */
const portion = 500;

const rebuildHint = 'run “check --rebuild-indexes”';

/** What the index of ordered values should have for the resources of a piece. */
export interface CountedEntries {
  readonly entries: number;
  /** Resources that were left out, since their checksum does not match. */
  readonly damaged: number;
}

/**
 * Checks resources of a project and their indexes, in the snapshot of the open transaction; where that is all resources
 * of the project, also that the index of ordered values has no others.
 */
export async function checkResources(
  connection: Connection,
  { projectKey, behind, rows: limit = Number.POSITIVE_INFINITY }: Piece,
  recorded: RecordedPaths,
  onPart: OnPart,
): Promise<CountedEntries> {
  const generation = await readGeneration(connection, projectKey, recorded);
  const context: Context = { projectKey, generation, ...expectationOf(generation, recorded) };
  if (!generation.hasTerms && behind === '') {
    const text = `its index is being built for the first time; ${rebuildHint}, or start the service`;
    onPart({ rows: 0, at: undefined, findings: [`project ${projectKey}: ${text}`] });
  }
  let [entries, damaged, left] = [0, 0, limit];
  const scan = async (after: string) => {
    const values = [projectKey, after, Math.min(portion, left)];
    const rows = left === 0 ? [] : await connection.query<StoredRow>({ name: 'scan', text: scanText, values });
    left -= rows.length;
    return rows;
  };
  const take = (rows: readonly StoredRow[], checked: CheckedRows) => {
    const findings = rows.flatMap(({ id }) => {
      const finding = checked.findings.get(id);
      return finding === undefined ? [] : [`resource ${projectKey}/${id}: ${finding}`];
    });
    entries += checked.entries;
    damaged += checked.damaged;
    onPart({ rows: rows.length, at: rows.at(-1)!.id, findings });
  };
  // What a portion should have is computed while the database looks up the one before it and reads the one after it.
  let rows = await scan(behind);
  let before: { readonly rows: readonly StoredRow[]; readonly checked: Promise<CheckedRows> } | undefined;
  while (rows.length > 0) {
    const next = scan(rows.at(-1)!.id);
    const checked = checkRows(connection, context, rows);
    // A session that breaks fails them all: the first failure that is waited for is reported.
    for (const each of [next, checked]) each.catch(() => {});
    if (before) take(before.rows, await before.checked);
    before = { rows, checked };
    rows = await next;
  }
  if (before) take(before.rows, await before.checked);
  const counted = { entries, damaged };
  if (behind === '' && limit === Number.POSITIVE_INFINITY) {
    const findings = await countedFindings(connection, projectKey, counted, recorded);
    onPart({ rows: 0, at: undefined, findings });
  }
  return counted;
}

/** What is wrong with the number of ordered values of a project, which all its resources give. */
export async function countedFindings(
  connection: Connection,
  projectKey: string,
  { entries, damaged }: CountedEntries,
  recorded: RecordedPaths,
): Promise<readonly string[]> {
  const generation = await readGeneration(connection, projectKey, recorded);
  // While an index is being built, some of its entries are there already.
  if (damaged > 0 || generation.ready !== generation.paths) return [];
  const several = placesOfSeveral(expectationOf(generation, recorded).paths, connection.terms);
  const [stored] = await connection.query<{ count: number }>({ text: countText, values: [projectKey, several] });
  if (stored!.count === entries) return [];
  const texts = `${stored!.count} where the resources give ${entries}`;
  return [`ordered values of project ${projectKey}: ${texts}; ${rebuildHint}`];
}

/** Entries that say that there may be several values are not counted: rows of earlier versions have terms instead. */
const countText = 'SELECT count(*) FROM ordered_value WHERE project_key = $1 AND place <> ALL ($2::bigint[])';

function placesOfSeveral(paths: readonly string[], terms: TermHash): readonly string[] {
  const entries = encodedForms(paths).flatMap((form) => ['c', 's'].map((each) => `${each}|${form}|${severalEntry}`));
  return entries.map((entry) => entryRow(entry, terms).place);
}

interface Expectation {
  /** The declared paths that rows may have been written with. */
  readonly paths: readonly string[];
  /** How terms begin that only rows written with these paths have. */
  readonly optional: readonly string[];
}

interface Context extends Expectation {
  readonly projectKey: string;
  readonly generation: Generation;
}

function expectationOf({ paths }: Generation, recorded: RecordedPaths): Expectation {
  const all = pathList([...paths, ...recorded]);
  return { paths: all, optional: encodedForms(all).map((form) => `|${form}|${severalEntry}`) };
}

interface CheckedRows {
  /** What is wrong, by id. */
  readonly findings: ReadonlyMap<string, string>;
  readonly entries: number;
  readonly damaged: number;
}

const damagedText = 'its checksum does not match; restore it from a backup';
const indexesText = `its indexes say otherwise; ${rebuildHint}`;

async function checkRows(connection: Connection, context: Context, rows: readonly StoredRow[]): Promise<CheckedRows> {
  const findings = new Map<string, string>();
  for (const row of rows) if (!isIntact(row)) findings.set(row.id, damagedText);
  const damaged = findings.size;
  const { hasTerms } = context.generation;
  const intact = hasTerms ? rows.filter(({ id }) => !findings.has(id)) : [];
  const expected = intact.map((row) => expect(context, row, connection.terms));
  const [found, missing] = await Promise.all([
    readTerms(connection, context.projectKey, expected),
    readMissing(connection, context.projectKey, expected),
  ]);
  for (const each of expected) {
    const { row } = each;
    const stored = found.get(row.id);
    const lacks = missing.get(row.id);
    // So it is of nearly all rows; only of others are the terms taken apart.
    if (stored?.holds && lacks === undefined && stored.terms === each.terms) continue;
    const terms = numbersOf(stored?.terms);
    const hasTerm = (term: string) => terms.has(connection.terms.of(term));
    const isMissing = lacks?.some((entry) => !isSaidByTerm(context.projectKey, entry, hasTerm)) ?? false;
    const holds = stored?.holds === true && areTerms(terms, each.indexed.terms, context.optional, hasTerm);
    if (!holds || isMissing) findings.set(row.id, indexesText);
  }
  const counted = expected.flatMap(({ entries }) => entries.filter((entry) => !isSeveral(entry)));
  return { findings, entries: counted.length, damaged };
}

interface Expected {
  readonly row: StoredRow;
  readonly indexed: Omit<Indexed, 'words'>;
  /** As the database gives them, in the order in which they are written. */
  readonly terms: string;
  readonly entries: readonly string[];
}

function expect({ projectKey, generation, paths }: Context, row: StoredRow, { arrayOf }: TermHash): Expected {
  const documents = documentsOf(row);
  const indexed = indexColumns(projectKey, documents, row, paths);
  const { ready } = generation;
  const entries = ready === paths ? indexed.entries : ready ? entriesOf(projectKey, documents, ready) : [];
  return { row, indexed, terms: arrayOf(indexed.terms), entries };
}

/** The numbers in an array as PostgreSQL writes it. */
function numbersOf(array = '{}'): ReadonlySet<string> {
  return new Set(array === '{}' ? [] : array.slice(1, -1).split(','));
}

/** True if the stored terms are those that are expected; rows may lack optional ones. */
function areTerms(
  stored: ReadonlySet<string>,
  expected: readonly string[],
  optional: readonly string[],
  isStored: (term: string) => boolean,
): boolean {
  let shared = 0;
  for (const term of expected) {
    if (isStored(term)) shared += 1;
    else if (!optional.some((end) => term.endsWith(end))) return false;
  }
  return shared === stored.size;
}

const isSeveral = (entry: string) => entry.endsWith(`|${severalEntry}`);

/** A row that was written while the path was declared has a term instead. */
function isSaidByTerm(projectKey: string, entry: string, isStored: (term: string) => boolean): boolean {
  return isSeveral(entry) && isStored(`${escapeText(projectKey)}|${entry}`);
}

/** Casts only the texts of rows that are intact, as conditions do: others may be no JSON. */
const termsText = `SELECT r.id, r.terms::text AS terms,
    r.document IS NOT DISTINCT FROM n.document::jsonb AND r.staged_document IS NOT DISTINCT FROM n.staged::jsonb
      AND jsonb_typeof(r.current::jsonb) = 'object' AND (r.staged::jsonb IS NULL) = (r.staged IS NULL) AS holds
  FROM unnest($2::text[], $3::text[], $4::text[]) AS n (id, document, staged)
  JOIN resource r ON r.project_key = $1 AND r.id = n.id`;

interface FoundTerms {
  readonly id: string;
  readonly terms: string;
  readonly holds: boolean;
}

async function readTerms(connection: Connection, projectKey: string, expected: readonly Expected[]) {
  const rows = await connection.query<FoundTerms>({
    ...{ name: 'check-terms', text: termsText },
    values: [
      projectKey,
      expected.map(({ row }) => row.id),
      expected.map(({ indexed }) => indexed.compared),
      expected.map(({ indexed }) => indexed.comparedStaged),
    ],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Each is looked up by itself: a join might read all entries of the project instead. */
const missingText = `SELECT n.number FROM unnest($2::bigint[], $3::text[], $4::text[]) WITH ORDINALITY AS n
    (place, key, id, number) WHERE NOT EXISTS
  (SELECT 1 FROM ordered_value o
    WHERE o.project_key = $1 AND ${isEntry('n')} OFFSET 0)`;

async function readMissing(connection: Connection, projectKey: string, expected: readonly Expected[]) {
  const pairs = expected.flatMap(({ row, entries }) => entries.map((entry) => [entry, row.id] as const));
  const missing = new Map<string, string[]>();
  if (pairs.length === 0) return missing;
  const values = [projectKey, ...entryColumns(pairs, connection.terms)];
  const rows = await connection.query<{ number: number }>({
    ...{ name: 'check-entries', text: missingText },
    values,
  });
  for (const { number } of rows) {
    const [entry, id] = pairs[number - 1]!;
    missing.set(id, [...(missing.get(id) ?? []), entry]);
  }
  return missing;
}
