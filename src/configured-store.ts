import type { Config } from './config/settings.ts';
import type { Store } from './domain/ports/store.ts';
import type { Engine, Link, StoreHost, StoreOptions } from './record/engine.ts';
import { type EngineSettings, embeddedAddress, engineOf } from './store/engines.ts';
import { startBackgroundTask } from './telemetry/background-task.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { checkInProcess, type ScheduledCheck, scheduleCheck } from './telemetry/scheduled-check.ts';
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

/** Opens the store. */
export function openConfiguredStore(config: Config, parts: StoreParts, access: StoreOptions['access']): Promise<Store> {
  const { address, engine } = locateStore(config);
  return engine.open(address, optionsOf(config, parts, engine, access), config);
}

/**
 * Begins to open the store for serving: resolves when its files are being opened by others, such as a thread, so that
 * this one can load the rest of the service meanwhile. `store` is to be awaited, though later.
 */
export async function beginOpening(config: Config, parts: StoreParts): Promise<{ readonly store: Promise<Store> }> {
  const { address, engine } = locateStore(config);
  const begun = Promise.withResolvers<void>();
  const options = { ...optionsOf(config, parts, engine, 'exclusive'), onBegun: begun.resolve };
  const store = engine.open(address, options, config);
  store.catch(() => begun.resolve());
  await begun.promise;
  return { store };
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
  access: StoreOptions['access'],
): StoreOptions {
  return {
    access,
    declaredPaths: config.indexedPaths,
    maxPageBytes: config.maxPageBytes,
    queryTimeoutMs: config.queryTimeoutMs,
    keepsHistory: config.historyRetentionDays > 0,
    metrics: createStoreMetrics(metrics, queues),
    note: (text) => log.write('info', 'store', { note: text }),
    onFatal,
    onDamaged: (row) => log.write('error', 'damaged-row', { ...row }),
    link,
  };
}

const pruneEveryMs = 10 * 60_000;
/** After a start other work comes first. */
const firstPruneMs = 60_000;
const dayMs = 86_400_000;

/**
 * Prunes the log of changes regularly, and soon after the start: by age and by size, or whole where no history is kept.
 * Returns the function that ends it.
 */
export function startPruning(
  { changes }: Store,
  { historyRetentionDays, historyMaxBytes }: Config,
  nowMs: () => number,
  log: Log,
): () => void {
  const run = () => changes.prune(nowMs() - historyRetentionDays * dayMs, historyMaxBytes);
  const times = { everyMs: pruneEveryMs, firstMs: firstPruneMs };
  return startBackgroundTask({ ...times, run, log, failedEvent: 'pruning-failed' });
}

/** Checks the store regularly, by the program that this process runs; undefined where that is not wanted. */
export function startChecks({ checkEveryHours }: Config, nowMs: () => number, log: Log): ScheduledCheck | undefined {
  if (checkEveryHours === 0) return undefined;
  const check = (signal: AbortSignal) => checkInProcess(process.argv[1]!, signal);
  return scheduleCheck({ everyMs: checkEveryHours * 3_600_000, check, nowMs, log });
}
