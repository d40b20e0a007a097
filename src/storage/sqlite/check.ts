import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { rowChecksum } from './checksum.ts';
import { allRows, documentsOf, type Progress } from './rebuild.ts';
import { openTermEntries } from './term-entries.ts';
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

function checkStructure(db: DatabaseSync): string[] {
  const rows = db.prepare('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
  return rows.flatMap(({ integrity_check }) => (integrity_check === 'ok' ? [] : `structure: ${integrity_check}`));
}

/** What the term index should hold, from the resources; damaged resources are reported and left out. */
function expectedTerms(
  db: DatabaseSync,
  declaredPaths: readonly string[],
  progress: Progress,
  findings: string[],
): EntrySum {
  const entries: EntrySum = { count: 0, sum: 0 };
  for (const row of allRows(db, 'resources', progress)) {
    if (rowChecksum(row) !== row.checksum) {
      findings.push(`resource ${row.project_key}/${row.id}: its checksum does not hold; restore it from a backup`);
      continue;
    }
    const { added } = indexDifference(row.project_key, undefined, documentsOf(row), declaredPaths);
    for (const term of added.split(' ')) addEntry(entries, term, row.row);
  }
  return entries;
}

function storedTerms(db: DatabaseSync): EntrySum {
  openTermEntries(db);
  const entries: EntrySum = { count: 0, sum: 0 };
  const all = db.prepare('SELECT term, doc FROM temp.term_entry');
  for (const { term, doc } of all.iterate() as Iterable<{ term: string; doc: number }>) addEntry(entries, term, doc);
  return entries;
}

function compareTerms(expected: EntrySum, stored: EntrySum): string[] {
  if (expected.count === stored.count && expected.sum === stored.sum) return [];
  return [
    `term index: ${stored.count} entries where the resources give ${expected.count}, or others; stop the service and run “check --rebuild-indexes”`,
  ];
}

/** Checks structure, row checksums and the term index of a store that may be in use. Answers what was found. */
export function checkDatabase(db: DatabaseSync, progress: Progress): readonly string[] {
  const findings = checkStructure(db);
  if (findings.length > 0) return findings;
  // One snapshot for all that follows, however much is written meanwhile.
  db.exec('BEGIN');
  try {
    const { settings } = db.prepare('SELECT settings FROM store').get() as { settings: string };
    const { declaredPaths } = JSON.parse(settings) as { declaredPaths: string[] };
    const expected = expectedTerms(db, declaredPaths, progress, findings);
    return findings.length > 0 ? findings : compareTerms(expected, storedTerms(db));
  } finally {
    db.exec('COMMIT');
  }
}
