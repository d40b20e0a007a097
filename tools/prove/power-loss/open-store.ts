import { join } from 'node:path';
import { rowColumns, type StoredRow } from '../../../src/record/row/stored-row.ts';
import { checkDatabase } from '../../../src/store/sqlite/maintenance/check.ts';
import { Committer } from '../../../src/store/sqlite/write/committer.ts';
import { openDatabase } from '../../../src/store/sqlite/write/open-database.ts';
import type { Found } from '../ledger.ts';
import type { OpenedImage } from './open-service.ts';
import { project } from './trace-service.ts';

/** No log that is thrown away in a moment is long. */
const noCheckpoints = { committed: () => {}, empty: () => true };

/**
 * Opens the store in a folder as the writer of a service does, with every check of a start, reads all its resources and
 * checks it as `grs check` does, checksums of all rows included. `follows`: only after the indexes have taken up what they
 * lack, as they do before a query. Throws where the store is refused. A service in front of it takes twenty times as long.
 */
export async function openStore(folder: string, follows: boolean): Promise<OpenedImage> {
  const violations: string[] = [];
  const options = { file: join(folder, 'grs.db'), declaredPaths: [], acceptLoss: false, keepsHistory: true };
  const opened = openDatabase(options, () => {});
  try {
    if (follows) {
      const committer = new Committer(opened, noCheckpoints, () => 0, {
        done: () => {},
        fatal: (message) => violations.push(`fatal: ${message}`),
        note: () => {},
      });
      const failure = committer.follow();
      if (failure) violations.push(`index: the indexes cannot follow: ${failure.message}`);
    }
    const rows = opened.db.prepare(`SELECT ${rowColumns} FROM resource WHERE project_key = ?`);
    const found = new Map<string, Found>();
    for (const { id, version, current } of rows.iterate(project) as unknown as Iterable<StoredRow>) {
      found.set(id, { version, value: (JSON.parse(current) as { readonly value: string }).value });
    }
    const findings = await checkDatabase(opened.db, () => {}, 1);
    violations.push(...findings.map((finding) => `check: ${finding}`));
    return { found, violations };
  } finally {
    opened.close();
  }
}
