import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Store } from './domain/ports.ts';
import { type Maintenance, maintain } from './storage/maintain.ts';
import { openStore } from './storage/open.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { createStoreMetrics } from './telemetry/store-metrics.ts';

/** The store of a configuration, apart from app.ts: a start opens it while the rest of the service is still loading. */

/** Memory for records read lately, in bytes. */
const hotBytes = 16 * 1024 * 1024;

/** Where the store is. */
export function storeUrl(config: Config): string {
  return config.databaseUrl ?? `sqlite:${join(config.dataDir, 'grs.db')}`;
}

/** Maintenance of the store, for the command line. */
export function maintainStore(config: Config): Maintenance {
  return maintain(storeUrl(config));
}

/** Opens the store. `shared`: beside a running service, for a command. */
export function openConfiguredStore(
  config: Config,
  parts: { readonly log: Log; readonly metrics: Metrics; readonly onFatal: (message: string) => void },
  access: 'exclusive' | 'shared',
): Promise<Store> {
  return openStore(storeUrl(config), {
    access,
    declaredPaths: config.indexedPaths,
    acceptLoss: config.acceptLoss,
    maxPageBytes: config.maxPageBytes,
    queryTimeoutMs: config.queryTimeoutMs,
    readThreads: config.readThreads,
    hotBytes,
    metrics: createStoreMetrics(parts.metrics),
    note: (text) => parts.log.write('info', 'store', { note: text }),
    onFatal: parts.onFatal,
  });
}
