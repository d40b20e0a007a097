import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { rowChecksum } from './checksum.ts';
import { allRows, documentsOf, type NumberedRow, type Progress } from './rebuild.ts';
import { indexDifference } from './terms.ts';

/**
 * A sum over a set of entries that does not depend on their order: two indexes with the same entries have the same
 * sum, two with different ones the same only by a chance of one in 2⁴⁸.
 */
interface EntrySum {
  count: number;
  sum: number;
}

const modulus = 2 ** 48;

function addEntry(entries: EntrySum, text: string, row: number): void {
  const mixed = crc32(text, row >>> 0) * 65_536 + (crc32(text, ~row >>> 0) & 0xffff);
  entries.sum = (entries.sum + mixed) % modulus;
  entries.count += 1;
}

function sortText(projectKey: string, projection: unknown, path: unknown, value: unknown, edge: unknown): string {
  const shown = value instanceof Uint8Array ? `b${value[0]}` : `${typeof value === 'string' ? 's' : 'n'}${value}`;
  return `${projectKey}\n${projection}\n${path}\n${shown}\n${edge}`;
}

function checkStructure(db: DatabaseSync): string[] {
  const rows = db.prepare('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
  return rows.flatMap(({ integrity_check }) => (integrity_check === 'ok' ? [] : `structure: ${integrity_check}`));
}

/** What the indexes should hold, from the resources; damaged resources are reported and left out. */
function expectedEntries(db: DatabaseSync, declaredPaths: readonly string[], progress: Progress, findings: string[]) {
  const terms: EntrySum = { count: 0, sum: 0 };
  const sorts: EntrySum = { count: 0, sum: 0 };
  const expectOf = (row: NumberedRow) => {
    const { added, sortAdded } = indexDifference(row.project_key, undefined, documentsOf(row), declaredPaths);
    for (const term of added.split(' ')) addEntry(terms, term, row.row);
    for (const { projection, path, value, edge } of sortAdded) {
      addEntry(sorts, sortText(row.project_key, projection, path, value, edge), row.row);
    }
  };
  for (const row of allRows(db, 'resources', progress)) {
    if (rowChecksum(row) === row.checksum) expectOf(row);
    else findings.push(`resource ${row.project_key}/${row.id}: its checksum does not hold; restore it from a backup`);
  }
  return { terms, sorts };
}

function storedTerms(db: DatabaseSync): EntrySum {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_entry USING fts5vocab('main', 'term', 'instance')");
  const entries: EntrySum = { count: 0, sum: 0 };
  const all = db.prepare('SELECT term, doc FROM temp.term_entry');
  for (const { term, doc } of all.iterate() as Iterable<{ term: string; doc: number }>) addEntry(entries, term, doc);
  return entries;
}

function storedSorts(db: DatabaseSync): EntrySum {
  const entries: EntrySum = { count: 0, sum: 0 };
  const all = db.prepare('SELECT * FROM sort_value');
  all.setReadBigInts(true);
  for (const row of all.iterate() as Iterable<Record<string, unknown>>) {
    const text = sortText(String(row.project_key), row.projection, row.path, row.value, row.edge);
    addEntry(entries, text, Number(row.row));
  }
  return entries;
}

function compare(name: string, expected: EntrySum, stored: EntrySum): string[] {
  if (expected.count === stored.count && expected.sum === stored.sum) return [];
  return [
    `${name}: ${stored.count} entries where the resources give ${expected.count}, or others; stop the service and run “check --rebuild-indexes”`,
  ];
}

/** Checks structure, row checksums and both indexes of a store that may be in use. Answers what was found. */
export function checkDatabase(db: DatabaseSync, progress: Progress): readonly string[] {
  const findings = checkStructure(db);
  if (findings.length > 0) return findings;
  // One snapshot for all that follows, however much is written meanwhile.
  db.exec('BEGIN');
  try {
    const { settings } = db.prepare('SELECT settings FROM store').get() as { settings: string };
    const { declaredPaths } = JSON.parse(settings) as { declaredPaths: string[] };
    const { terms, sorts } = expectedEntries(db, declaredPaths, progress, findings);
    if (findings.length > 0) return findings;
    findings.push(...compare('term index', terms, storedTerms(db)), ...compare('sort index', sorts, storedSorts(db)));
    return findings;
  } finally {
    db.exec('COMMIT');
  }
}
