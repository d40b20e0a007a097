import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../contract/json.ts';
import { parseStoredJson } from '../../domain/json/parse.ts';
import type { Documents } from '../../domain/ports.ts';
import type { ResourceRow } from './checksum.ts';
import { indexDifference } from './terms.ts';

/** A row of `resource` with its number and checksum. */
export type NumberedRow = ResourceRow & { readonly row: number; readonly checksum: number };

/** Told now and then how far a long work is. */
export type Progress = (label: string, done: number, total: number) => void;

const pageRows = 2000;

/** All resources by row number, in pages, so that memory stays bounded. */
export function* allRows(db: DatabaseSync, label: string, progress: Progress): Generator<NumberedRow> {
  const { total } = db.prepare('SELECT count(*) AS total FROM resource').get() as { total: number };
  const page = db.prepare('SELECT * FROM resource WHERE row > ? ORDER BY row LIMIT ?');
  let last = -1;
  for (let done = 0; ; ) {
    const rows = page.all(last, pageRows) as unknown as NumberedRow[];
    yield* rows;
    done += rows.length;
    progress(label, Math.min(done, total), total);
    if (rows.length < pageRows) return;
    last = rows.at(-1)?.row ?? last;
  }
}

/** Both projections of a row as values. */
export function documentsOf(row: ResourceRow): Documents {
  const current = parseStoredJson(row.current) as JsonObject;
  return row.staged === null ? { current } : { current, staged: parseStoredJson(row.staged) as JsonObject };
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function keepDeclaration(db: DatabaseSync, declaredPaths: readonly string[]): void {
  db.prepare('UPDATE store SET settings = ?').run(JSON.stringify({ declaredPaths }));
}

/** Makes the term index anew from the resources, in a transaction that is open. */
function rebuildTerms(db: DatabaseSync, declaredPaths: readonly string[], progress: Progress): void {
  db.exec("INSERT INTO term (term) VALUES ('delete-all')");
  const add = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
  add.setReadBigInts(true);
  for (const row of allRows(db, 'indexing the values', progress)) {
    add.run(row.row, indexDifference(row.project_key, undefined, documentsOf(row), declaredPaths).added);
  }
  keepDeclaration(db, declaredPaths);
}

/** Makes the term index anew where the declared paths are others than last time, all of it or nothing. */
export function declarePaths(
  db: DatabaseSync,
  settings: string,
  declaredPaths: readonly string[],
  progress: Progress,
): void {
  const known = (JSON.parse(settings) as { declaredPaths: string[] }).declaredPaths;
  if (JSON.stringify([...known].sort()) === JSON.stringify([...declaredPaths].sort())) return;
  rebuildIndexes(db, declaredPaths, progress);
}

/** Makes the term index anew from the resources, all of it or nothing. */
export function rebuildIndexes(db: DatabaseSync, declaredPaths: readonly string[], progress: Progress): void {
  inTransaction(db, () => rebuildTerms(db, declaredPaths, progress));
}
