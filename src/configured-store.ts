import { join } from 'node:path';
import type { Config } from './config/settings.ts';
import type { Store } from './domain/ports/store.ts';
import { type Maintenance, maintain } from './storage/maintain.ts';
import { hostStore, type Link, openStore, type StoreHost, type StoreOptions } from './storage/open.ts';
import { reportCache } from './telemetry/cache-metrics.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { createStoreMetrics } from './telemetry/store-metrics.ts';

export type { Link, StoreHost };

/** The store of a configuration, apart from app.ts: a start opens it while the rest of the service is still loading. */

/** Memory for the cache of records. */
const cacheBytes = 16 * 1024 * 1024;

/** Where the store is. */
export function storeUrl(config: Config): string {
  return config.databaseUrl ?? `sqlite:${join(config.dataDir, 'grs.db')}`;
}

/** Maintenance of the store, for the command line. */
export function maintainStore(config: Config): Maintenance {
  return maintain(storeUrl(config));
}

interface StoreParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly onFatal: (message: string) => void;
  /** Where another process hosts the store: the way to it. */
  readonly link?: Link | undefined;
}

function storeOptions(config: Config, parts: StoreParts, access: 'exclusive' | 'shared'): StoreOptions {
  return {
    access,
    declaredPaths: config.indexedPaths,
    acceptLoss: config.acceptLoss,
    maxPageBytes: config.maxPageBytes,
    queryTimeoutMs: config.queryTimeoutMs,
    readThreads: config.readThreads,
    cacheBytes,
    onCache: (name, statistics) => reportCache(parts.metrics, name, statistics),
    connections: config.databaseConnections,
    replicaUrl: config.databaseReplicaUrl,
    metrics: createStoreMetrics(parts.metrics),
    note: (text) => parts.log.write('info', 'store', { note: text }),
    onFatal: parts.onFatal,
    link: parts.link,
  };
}

/** Opens the store. `shared`: beside a running service, for a command. */
export function openConfiguredStore(config: Config, parts: StoreParts, access: 'exclusive' | 'shared'): Promise<Store> {
  return openStore(storeUrl(config), storeOptions(config, parts, access));
}

/** Opens what the processes of a service share of the store (decision 78). */
export function hostConfiguredStore(config: Config, parts: StoreParts): Promise<StoreHost> {
  return hostStore(storeUrl(config), storeOptions(config, parts, 'exclusive'));
}
