import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import type { Progress } from '../../engine.ts';
import { indexDifference } from '../../index/index-entries.ts';
import { type KnownWord, wordOfTerm } from '../../index/word-terms.ts';
import { type ChangeRecord, documentsBeforeAll } from '../../row/change-record.ts';
import { findingOf, holdsChecksum } from '../../row/checked-table.ts';
import { isIntactResponse } from '../../row/response-row.ts';
import { documentsOf, isIntact, type ResourceRow } from '../../row/stored-row.ts';
import { prepareRows, responses, selected, smallTables } from '../checked-tables.ts';
import { createChangeRecords } from '../indexing/change-records.ts';
import { orderEntriesOf, storedOrderEntries } from '../indexing/followed-orders.ts';
import { allRows, readDeclaredPaths } from '../indexing/rebuild-indexes.ts';
import { openTermEntries } from '../open/connection.ts';
import { checkLog } from './check-log.ts';

/**
 * A checksum of a set of entries that does not depend on their order: indexes with the same entries have the same sum,
 * indexes with different ones have the same sum with a probability of one in 2⁴⁸.
 */
interface EntrySum {
  count: number;
  sum: number;
}

const noEntries = (): EntrySum => ({ count: 0, sum: 0 });

const modulus = 2 ** 48;

function addEntry(entries: EntrySum, text: string, row: number): void {
  const mixed = crc32(text, row >>> 0) * 65_536 + (crc32(text, ~row >>> 0) & 0xffff);
  entries.sum = (entries.sum + mixed) % modulus;
  entries.count += 1;
}

function checkStructure(db: DatabaseSync): string[] {
  const rows = db.prepare('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
  return rows.flatMap(({ integrity_check }) => (integrity_check === 'ok' ? [] : `structure: ${integrity_check}`));
}

/** The content that the indexes should have. */
interface Expected {
  readonly terms: EntrySum;
  readonly orders: EntrySum;
  /** Words by project and locale, as `wordName` writes them. */
  readonly words: Set<string>;
  readonly resources: Map<string, number>;
}

function wordName({ projectKey, locale, word }: KnownWord): string {
  return `${projectKey} ${locale} ${word}`;
}

/** The changes that the indexes lack; undefined where their records cannot be read. */
function unindexedChanges(db: DatabaseSync, findings: string[]): readonly ChangeRecord[] | undefined {
  try {
    return createChangeRecords(db).unindexed();
  } catch (error) {
    findings.push(`changes: ${(error as Error).message}; the next start of the service builds the indexes again`);
    return undefined;
  }
}

/**
 * Computes from the resources what the indexes should have; damaged resources are reported and left out. Of the rows that
 * the unindexed changes touched the indexes have the state before.
 */
function expectedOf(
  db: DatabaseSync,
  declaredPaths: readonly string[],
  unindexed: readonly ChangeRecord[],
  progress: Progress,
  findings: string[],
): Expected {
  const expected: Expected = { terms: noEntries(), orders: noEntries(), words: new Set(), resources: new Map() };
  const records = Map.groupBy(unindexed, ({ row }) => row);
  for (const row of allRows(db, 'resources', progress)) {
    if (!isIntact(row)) {
      findings.push(`resource ${row.project_key}/${row.id}: its checksum does not hold; restore it from a backup`);
      continue;
    }
    const own = records.get(row.row);
    records.delete(row.row);
    if (own) addBefore(expected, own, documentsOf(row), declaredPaths);
    else addExpected(expected, row.project_key, row.row, documentsOf(row), declaredPaths, row);
  }
  for (const own of records.values()) addBefore(expected, own, undefined, declaredPaths);
  return expected;
}

/** Adds the state before all of these changes of one row. */
function addBefore(
  expected: Expected,
  records: readonly ChangeRecord[],
  after: Documents | undefined,
  declaredPaths: readonly string[],
): void {
  const { projectKey, row } = records[0]!;
  const before = documentsBeforeAll(records, after);
  if (before) addExpected(expected, projectKey, row, before, declaredPaths);
}

function addExpected(
  { terms, orders, words, resources }: Expected,
  projectKey: string,
  row: number,
  documents: Documents,
  declaredPaths: readonly string[],
  ordered: ResourceRow | Documents = documents,
): void {
  resources.set(projectKey, (resources.get(projectKey) ?? 0) + 1);
  const { added, addedText } = indexDifference(projectKey, undefined, documents, declaredPaths);
  for (const entry of orderEntriesOf(projectKey, ordered)) addEntry(orders, entry, row);
  for (const term of added.split(' ')) addEntry(terms, term, row);
  if (addedText === '') return;
  for (const term of addedText.split(' ')) {
    addEntry(terms, term, row);
    const word = wordOfTerm(term);
    if (word) words.add(wordName(word));
  }
}

function storedTerms(db: DatabaseSync): EntrySum {
  openTermEntries(db);
  const entries = noEntries();
  const all = db.prepare('SELECT term, doc FROM temp.term_entry');
  for (const { term, doc } of all.iterate() as Iterable<{ term: string; doc: number }>) addEntry(entries, term, doc);
  return entries;
}

function storedOrders(db: DatabaseSync): EntrySum {
  const entries = noEntries();
  for (const { entry, row } of storedOrderEntries(db)) addEntry(entries, entry, row);
  return entries;
}

const remedy = 'stop the service and run “check --rebuild-indexes”';

function compareEntries(name: string, expected: EntrySum, stored: EntrySum): string[] {
  if (expected.count === stored.count && expected.sum === stored.sum) return [];
  return [`${name}: ${stored.count} entries where the resources give ${expected.count}, or others; ${remedy}`];
}

function compareWords(db: DatabaseSync, expected: ReadonlySet<string>): string[] {
  let [known, unknown] = [0, 0];
  const all = db.prepare('SELECT project_key AS projectKey, locale, word FROM word');
  for (const word of all.iterate() as Iterable<KnownWord>) {
    if (expected.has(wordName(word))) known += 1;
    else unknown += 1;
  }
  if (known === expected.size && unknown === 0) return [];
  return [`vocabulary: ${known} of the ${expected.size} words of the resources, and ${unknown} others; ${remedy}`];
}

function compareCounts(db: DatabaseSync, expected: ReadonlyMap<string, number>): string[] {
  const stored = db.prepare('SELECT project_key AS projectKey, resources FROM project').all() as unknown as {
    projectKey: string;
    resources: number;
  }[];
  const counts = new Map(stored.map(({ projectKey, resources }) => [projectKey, resources]));
  return [...new Set([...expected.keys(), ...counts.keys()])].flatMap((projectKey) => {
    const [counted = 0, there = 0] = [counts.get(projectKey), expected.get(projectKey)];
    return counted === there ? [] : [`project ${projectKey}: counted ${counted} resources of ${there}; ${remedy}`];
  });
}

/** The rows of the tables beside `resource` whose checksum does not hold. */
function checkRows(db: DatabaseSync): string[] {
  const findings: string[] = [];
  for (const table of [...smallTables, responses]) {
    const body = table === responses ? ', body' : '';
    const rows = prepareRows(db, `SELECT ${selected(table)}${body} FROM ${table.name}`);
    for (const row of rows.iterate()) {
      const isIntact = table === responses ? isIntactResponse(table, row) : holdsChecksum(table, row);
      if (!isIntact) findings.push(findingOf(table, row));
    }
  }
  return findings;
}

/** Findings in a file whose structure is damaged, so that reading it may fail. */
function readableFindings(check: () => readonly string[]): readonly string[] {
  try {
    return check();
  } catch {
    return [];
  }
}

/** Checks structure, row checksums and indexes of a store, which may be in use. Returns the findings. */
export function checkDatabase(db: DatabaseSync, progress: Progress): readonly string[] {
  const findings = checkStructure(db);
  if (findings.length > 0) return [...findings, ...readableFindings(() => checkRows(db))];
  // One snapshot for everything that follows, whatever is written meanwhile.
  db.exec('BEGIN');
  try {
    const others = checkRows(db);
    const declaredPaths = readDeclaredPaths(db);
    if (!declaredPaths) others.push('store settings: they cannot be read; the next start rebuilds the indexes');
    const unindexed = unindexedChanges(db, others);
    others.push(...checkLog(db));
    const expected = expectedOf(db, declaredPaths ?? [], unindexed ?? [], progress, findings);
    if (findings.length > 0 || !declaredPaths || !unindexed) return [...findings, ...others];
    return [
      ...others,
      ...compareEntries('term index', expected.terms, storedTerms(db)),
      ...compareEntries('orders by version and times', expected.orders, storedOrders(db)),
      ...compareWords(db, expected.words),
      ...compareCounts(db, expected.resources),
    ];
  } finally {
    db.exec('COMMIT');
  }
}
