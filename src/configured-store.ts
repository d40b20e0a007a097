import type { Config } from './config/settings.ts';
import type { Store } from './domain/ports/store.ts';
import type { Engine, Link, StoreHost, StoreOptions } from './storage/engine.ts';
import { type EngineSettings, embeddedAddress, engineOf } from './storage/engines.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { createStoreMetrics } from './telemetry/store-metrics.ts';

/** The store of a configuration, apart from app.ts: a start opens it while the rest of the service is still loading. */

/** The address of the store, and its engine. */
export interface StoreLocation {
  readonly address: string;
  readonly engine: Engine<EngineSettings>;
}

/** Where the store of a configuration is. */
export function locateStore({ databaseUrl, dataDir }: Config): StoreLocation {
  const address = databaseUrl ?? embeddedAddress(dataDir);
  return { address, engine: engineOf(address) };
}

interface StoreParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly onFatal: (message: string) => void;
  /** If another process hosts the store: the link to it. */
  readonly link?: Link | undefined;
}

/** Opens the store. `shared`: beside a running service, for a command. */
export function openConfiguredStore(config: Config, parts: StoreParts, access: 'exclusive' | 'shared'): Promise<Store> {
  const { address, engine } = locateStore(config);
  return engine.open(address, optionsOf(config, parts, engine, access), config);
}

/** Opens what the processes of a service share of the store (decision 78). */
export function hostConfiguredStore(config: Config, parts: StoreParts): Promise<StoreHost> {
  const { address, engine } = locateStore(config);
  return engine.host(address, optionsOf(config, parts, engine, 'exclusive'), config);
}

function optionsOf(
  config: Config,
  { log, metrics, onFatal, link }: StoreParts,
  { queues }: Engine<EngineSettings>,
  access: 'exclusive' | 'shared',
): StoreOptions {
  return {
    access,
    declaredPaths: config.indexedPaths,
    maxPageBytes: config.maxPageBytes,
    queryTimeoutMs: config.queryTimeoutMs,
    keepsHistory: true,
    metrics: createStoreMetrics(metrics, queues),
    note: (text) => log.write('info', 'store', { note: text }),
    onFatal,
    onDamaged: (row) => log.write('error', 'damaged-row', { ...row }),
    link,
  };
}
