import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { SqliteOptions } from '../../../src/store/sqlite/open-writer.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { noStoreMetrics } from '../no-store-metrics.ts';

/** A new folder for a store; remove it when the test is over. */
export function temporaryFolder(): { readonly path: string; readonly file: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'grs-test-'));
  return { path, file: join(path, 'grs.db'), remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The file of a new store, whose folder goes after the test. */
export function fileOf(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(folder.remove);
  return folder.file;
}

/** Works on a file as SQLite has it, beside the store, and closes it. */
export function withDatabase<T>(file: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

export function openTestStore(file: string, more: Partial<SqliteOptions> = {}): Promise<Store> {
  return openSqliteStore({ ...testOptions(file), ...more });
}

export function testOptions(file: string): SqliteOptions {
  return {
    ...{
      file,
      access: 'exclusive',
      declaredPaths: [],
      acceptLoss: false,
      maxPageBytes: 8_388_608,
      queryTimeoutMs: 60_000,
      keepsHistory: true,
    },
    ...{ metrics: noStoreMetrics, note: () => {}, onFatal: () => {} },
  };
}
