import { availableParallelism } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import { storedOrderEntries } from '../../../index/follow/followed-orders.ts';
import { readDeclaredPaths } from '../../../index/follow/rebuild-indexes.ts';
import { readBuiltTo } from '../../../index/follow/rebuild-mark.ts';
import { openTermReader } from '../../../index/terms/term-reader.ts';
import type { Progress } from '../../../record/engine.ts';
import { type ChangeRecord, documentsBeforeAll } from '../../../record/row/change-record.ts';
import { findingOf, holdsChecksum, type Row } from '../../../record/row/checked-table.ts';
import { type StrayMarks, strayMarksFinding } from '../../../record/row/marks.ts';
import { isIntactResponse } from '../../../record/row/response-row.ts';
import { checkedDocuments, type NumberedRow, rowColumns } from '../../../record/row/stored-row.ts';
import { responses, selected, smallTables } from '../../../record/sqlite/checked-tables.ts';
import { createChangeSource } from '../../../record/sqlite/log/change-source.ts';
import { iterateRows, readAll } from '../../../sqlite/any-numbers.ts';
import { maxCounted } from '../../../sqlite/position.ts';
import { isOfOneValue } from '../../../sqlite/value-types.ts';
import { type PieceThread, startPieceThread } from '../../../threads/piece-thread.ts';
import { checkLog } from './check-log.ts';
import {
  addEntry,
  addExpected,
  addPage,
  type DamagedFinding,
  damagedFinding,
  type EntrySum,
  type Expected,
  type ExpectedPage,
  expectedPage,
  noEntries,
} from './expected.ts';

function checkStructure(db: DatabaseSync): string[] {
  const rows = db.prepare('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
  return rows.map(({ integrity_check }) => integrity_check).filter((finding) => finding !== 'ok');
}

/** The changes that the indexes lack; undefined where their records cannot be read. */
function unindexedChanges(db: DatabaseSync, findings: string[]): readonly ChangeRecord[] | undefined {
  const source = createChangeSource(db);
  const { changes, isIntact } = source.unindexed(source.position().indexed);
  if (isIntact) return changes;
  findings.push(
    'change: a record that is not indexed yet is damaged or missing; the next start indexes its resource again',
  );
  return undefined;
}

/**
 * Computes from the resources what the indexes should have; damaged resources are reported and left out. Of the rows that
 * the unindexed changes touched the indexes have the state before: these few are left to this thread.
 */
async function expectedOf(
  db: DatabaseSync,
  { declaredPaths, unindexed, builtTo, jobs, progress, findings }: Expecting,
): Promise<Expected> {
  const expected: Expected = {
    ...{ terms: noEntries(), orders: noEntries() },
    resources: new Map<string, number>(),
  };
  const records = Map.groupBy(unindexed, ({ row }) => row);
  /** Of rows that a rebuild has not come to yet only the orders are compared. */
  const notBuilt: Expected = { ...expected, terms: noEntries(), resources: new Map() };
  const expectedOfRow = (row: number) => (row > builtTo ? notBuilt : expected);
  const { total } = db.prepare('SELECT count(*) AS total FROM resource').get() as { total: number };
  const workers = openWorkers(declaredPaths, jobs ?? defaultJobs(total));
  const damaged: DamagedFinding[] = [];
  let done = 0;

  function* pages(): Generator<readonly NumberedRow[]> {
    for (const rows of pagesOfRows(db)) {
      const isApart = ({ row }: NumberedRow) => row > builtTo || records.has(row);
      const apart = rows.at(-1)!.row <= builtTo && records.size === 0 ? [] : rows.filter(isApart);
      yield apart.length === 0 ? rows : rows.filter((row) => !isApart(row));
      for (const row of apart) {
        const own = records.get(row.row) ?? [];
        records.delete(row.row);
        const of = expectedOfRow(row.row);
        try {
          const documents = checkedDocuments(row);
          if (own.length > 0) addBefore(of, row.project_key, row.row, own, documents, declaredPaths);
          else addExpected(of, row.project_key, row.row, documents, declaredPaths, row);
        } catch (error) {
          damaged.push(damagedFinding(row, error));
        }
      }
    }
  }

  const left = pages();
  /** Each page goes to the next worker that is free. */
  async function work(worker: Worker): Promise<void> {
    for (const rows of left) {
      const page = await worker.run(rows);
      damaged.push(...page.damaged);
      addPage(expected, page);
      done += rows.length;
      progress('resources', Math.min(done, total), total);
    }
  }

  try {
    await Promise.all(workers.map(work));
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
  for (const { project_key, id, reason } of damaged.sort((a, b) => a.row - b.row)) {
    findings.push(
      `resource ${project_key}/${id}: ${reason}; overwrite it with PUT, delete it, or restore it from a backup`,
    );
  }
  for (const [row, own] of records) {
    addBefore(expectedOfRow(row), own[0]!.projectKey, row, own, undefined, declaredPaths);
  }
  return expected;
}

interface Expecting {
  readonly declaredPaths: readonly string[];
  readonly unindexed: readonly ChangeRecord[];
  readonly builtTo: number;
  readonly jobs: number | undefined;
  readonly progress: Progress;
  readonly findings: string[];
}

/** Rows that a thread gets at a time. */
const pageRows = 500;

/** All resources by row number, in pages, so that memory stays bounded. */
function* pagesOfRows(db: DatabaseSync): Generator<readonly NumberedRow[]> {
  const page = db.prepare(`SELECT row, ${rowColumns} FROM resource WHERE row > ? ORDER BY row LIMIT ${pageRows}`);
  for (let last = -1; ; ) {
    const rows = readAll(page, [last]) as unknown as NumberedRow[];
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    last = rows.at(-1)!.row;
  }
}

/** For fewer rows one more thread takes longer to start than it saves. */
const rowsPerJob = 10_000;

function defaultJobs(rows: number): number {
  return Math.max(1, Math.min(availableParallelism(), Math.ceil(rows / rowsPerJob)));
}

type Worker = PieceThread<readonly NumberedRow[], ExpectedPage>;

function openWorkers(declaredPaths: readonly string[], jobs: number): readonly Worker[] {
  if (jobs === 1) return [{ run: async (rows) => expectedPage(rows, declaredPaths), close: async () => {} }];
  const file = new URL('./expected-thread.ts', import.meta.url);
  return Array.from({ length: jobs }, () => startPieceThread(file, declaredPaths));
}

/** Adds the state before all of these changes of one row. */
function addBefore(
  expected: Expected,
  projectOfRow: string,
  row: number,
  records: readonly ChangeRecord[],
  after: Documents | undefined,
  declaredPaths: readonly string[],
): void {
  const projectKey = records[0]?.projectKey ?? projectOfRow;
  const before = documentsBeforeAll(records, after);
  if (before) addExpected(expected, projectKey, row, before, declaredPaths);
}

/** Entries that are read before this thread looks after the others again. */
const entriesAtOnce = 10_000;

/** Behind every term. */
const allTerms = '\u{10ffff}';

async function storedTerms(db: DatabaseSync): Promise<EntrySum> {
  const entries = noEntries();
  const reader = openTermReader(db);
  for (let from: string | undefined = ''; from !== undefined; ) {
    const last = reader.readRange(from, allTerms, entriesAtOnce, (term, rows) => {
      const hash = crc32(term);
      for (const row of rows) addEntry(entries, hash, row);
    });
    from = last && `${last}\0`;
    await new Promise(setImmediate);
  }
  return entries;
}

function storedOrders(db: DatabaseSync): EntrySum {
  const entries = noEntries();
  for (const { entry, row } of storedOrderEntries(db)) addEntry(entries, crc32(entry), row);
  return entries;
}

const remedy = 'stop the service and run “check --rebuild-indexes”';

function compareEntries(name: string, expected: EntrySum, stored: EntrySum): string[] {
  if (expected.count === stored.count && expected.sum === stored.sum) return [];
  return [`${name}: ${stored.count} entries where the resources give ${expected.count}, or others; ${remedy}`];
}

function compareCounts(db: DatabaseSync, expected: ReadonlyMap<string, number>): string[] {
  const stored = db
    .prepare(`SELECT project_key AS projectKey, min(resources, ${maxCounted}) AS resources FROM project`)
    .all() as unknown as {
    projectKey: string;
    resources: number;
  }[];
  const counts = new Map(stored.map(({ projectKey, resources }) => [projectKey, resources]));
  return [...new Set([...expected.keys(), ...counts.keys()])].flatMap((projectKey) => {
    const [counted = 0, there = 0] = [counts.get(projectKey), expected.get(projectKey)];
    return counted === there ? [] : [`project ${projectKey}: counted ${counted} resources of ${there}; ${remedy}`];
  });
}

/** The rows of the tables beside `resource` whose checksum does not match. */
function checkRows(db: DatabaseSync): string[] {
  const findings: string[] = [];
  for (const table of [...smallTables, responses]) {
    const body = table === responses ? ', body' : '';
    const rows = iterateRows(db.prepare(`SELECT ${selected(table)}${body} FROM ${table.name}`));
    for (const row of rows as Iterable<Row>) {
      const isIntact = table === responses ? isIntactResponse(table, row) : holdsChecksum(table, row);
      if (!isIntact) findings.push(findingOf(table, row));
    }
  }
  return findings;
}

/** Projects with marks of resources that do not exist. */
function checkMarks(db: DatabaseSync): string[] {
  const strays = db.prepare(
    `SELECT project_key AS projectKey, count(DISTINCT id) AS count, min(id) AS first FROM mark m WHERE NOT EXISTS (
      SELECT 1 FROM resource r WHERE r.project_key = m.project_key AND r.id = m.id) GROUP BY project_key`,
  );
  return (strays.all() as unknown as StrayMarks[]).map(strayMarksFinding);
}

/** Findings in a file whose structure is damaged, so that reading it may fail. */
function readableFindings(check: () => readonly string[]): readonly string[] {
  try {
    return check();
  } catch {
    return [];
  }
}

/**
 * Checks structure, row checksums and indexes of a store, which may be in use. Returns the findings. What the indexes
 * should have is computed in threads, while this one reads what they have.
 */
export async function checkDatabase(db: DatabaseSync, progress: Progress, jobs?: number): Promise<readonly string[]> {
  const structure = checkStructure(db);
  const findings = structure.map((finding) => `structure: ${finding}`);
  if (!structure.every(isOfOneValue)) return [...findings, ...readableFindings(() => checkRows(db))];
  // One snapshot for everything that follows, whatever is written meanwhile.
  db.exec('BEGIN');
  try {
    const others = checkRows(db);
    const declaredPaths = readDeclaredPaths(db);
    if (!declaredPaths) others.push('store settings: they cannot be read; the next start rebuilds the indexes');
    const unindexed = unindexedChanges(db, others);
    others.push(...checkLog(db), ...checkMarks(db));
    const builtTo = declaredPaths ? readBuiltTo(db) : Number.POSITIVE_INFINITY;
    const options = { jobs, progress, findings, builtTo };
    const expecting = { declaredPaths: declaredPaths ?? [], unindexed: unindexed ?? [], ...options };
    const [expected, terms] = await Promise.all([expectedOf(db, expecting), storedTerms(db)]);
    if (findings.length > 0 || !declaredPaths || !unindexed) return [...findings, ...others];
    return [
      ...others,
      ...compareEntries('term index', expected.terms, terms),
      ...compareEntries('orders by version and times', expected.orders, storedOrders(db)),
      ...compareCounts(db, expected.resources),
    ];
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}
