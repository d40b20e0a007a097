import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { SqliteOptions } from '../../../src/storage/sqlite/open-writer.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/store.ts';
import { noStoreMetrics } from '../../../src/telemetry/store-metrics.ts';

/** A new folder for a store; remove it when the test is over. */
export function temporaryFolder(): { readonly path: string; readonly file: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'grs-test-'));
  return { path, file: join(path, 'grs.db'), remove: () => rmSync(path, { recursive: true, force: true }) };
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
      readThreads: 2,
      searchThreads: 2,
    },
    ...{ cacheBytes: 1_000_000, metrics: noStoreMetrics, note: () => {}, onFatal: () => {} },
  };
}
