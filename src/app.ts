import type { TokenService } from './auth/tokens.ts';
import { openBackends } from './backend/backends.ts';
import { startExpiringSessions } from './backend/embedded/session-upkeep.ts';
import { BackendsFileError } from './backend/settings.ts';
import { createFindImages } from './backend/variant-images.ts';
import { servicePath } from './config/base-path.ts';
import { memoryShares } from './config/memory.ts';
import { ConfigError } from './config/parse.ts';
import type { Config } from './config/settings.ts';
import { type Callers, openCallers, outsideLoginOf } from './configured-auth.ts';
import { openConfiguredStore, startChecks, startPruning } from './configured-store.ts';
import { loadConfiguredExtensions, openSettings } from './configured-types.ts';
import { consoleRoutes, startRoute } from './console/routes.ts';
import { Sessions } from './console/session.ts';
import type { ImageStore } from './domain/ports/image-store.ts';
import type { Store } from './domain/ports/store.ts';
import { createActions } from './domain/resource/actions/index.ts';
import { createSearchCounts } from './domain/search/counts/search-counts.ts';
import { createUuidV7 } from './domain/uuid.ts';
import { offerPackage } from './extensions/offer-package.ts';
import { createCallService } from './http/calls-in-process.ts';
import { openApiDocument, serversOf } from './http/openapi/document.ts';
import { linkBase, publicAddress } from './http/request/address.ts';
import { startDeletingExpired } from './http/request/idempotency.ts';
import type { Route } from './http/route.ts';
import { allRoutes } from './http/routes/all.ts';
import { createServer, type HttpServer } from './http/server.ts';
import { type Images, openImages } from './images/open-images.ts';
import { startBackgroundTask } from './telemetry/background-task.ts';
import { createHealthHistory } from './telemetry/health-history.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { startLoopDelay } from './telemetry/loop-delay.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { registerProcessMetrics } from './telemetry/process-metrics.ts';
import { createRecentCalls, type RecentCalls } from './telemetry/recent-calls.ts';
import { createSlowQueries } from './telemetry/slow-queries.ts';
import { registerStoreStatus } from './telemetry/store-metrics.ts';
import { version } from './version.ts';
import type { DeliveryTiming } from './webhooks/delivery/deps.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';
import { startPruningDeadLetters } from './webhooks/prune-dead-letters.ts';

/** The clock and the id generator of a process. Tests may pass their own. */
export interface World {
  readonly nowMs: () => number;
  readonly newId: () => string;
}

export function processWorld(): World {
  const nowMs = Date.now;
  return { nowMs, newId: createUuidV7(nowMs) };
}

/** A service that is wired, and listens only when told to. */
export interface App {
  readonly server: HttpServer;
  readonly store: Store;
  readonly tokens: TokenService;
  readonly images: Images;
  readonly admin: Callers['admin'];
  readonly routes: readonly Route[];
  /** Makes the OpenAPI document. */
  readonly describe: () => object;
  /** Sessions of the console; undefined where it is switched off. */
  readonly consoleSessions: Sessions | undefined;
  /** Completes the requests in progress, then closes everything. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly log?: Log;
  readonly metrics?: Metrics;
  /** A store that is being opened already. By default the configured one is opened. */
  readonly store?: Promise<Store>;
  readonly world?: World;
  /** Called if the disk fails or an error is not caught: the process should end. */
  readonly onFatal?: (message: string) => void;
  /** The metrics of all processes of the service. By default those of this process. */
  readonly renderMetrics?: () => Promise<string>;
  /** The calls that all processes of the service remember, as JSON, and those of this one. By default of this process. */
  readonly calls?: { readonly own: RecentCalls; readonly all: () => Promise<string> };
  /** False if another process of the service does the background work. */
  readonly tidies?: boolean;
  /** False: the threads for queries start with the first query, not after the start. */
  readonly warms?: boolean;
  /** Times of deliveries that differ from the usual ones. */
  readonly deliveryTiming?: Partial<DeliveryTiming>;
}

/** Makes a service out of a configuration. Throws if the store cannot be opened, or if a file or a route is invalid. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const world = options.world ?? processWorld();
  const log = options.log ?? createLog({ level: config.logLevel, stream: process.stdout, nowMs: world.nowMs });
  const metrics = options.metrics ?? createMetrics();
  const onFatal = options.onFatal ?? (() => {});
  const store = await (options.store ?? openConfiguredStore(config, { log, metrics, onFatal }, 'exclusive'));
  try {
    return await wire(config, { world, log, metrics, store }, options);
  } catch (error) {
    // An open store would keep the process alive.
    await store.close();
    throw error;
  }
}

interface Parts {
  readonly world: World;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly store: Store;
}

/** Connects the parts, from the store up to the server. */
async function wire(config: Config, parts: Parts, options: AppOptions): Promise<App> {
  const { world, log, metrics } = parts;
  const { nowMs, newId } = world;
  const { tidies = true, warms = true } = options;
  const scheduled = tidies ? startChecks(config, nowMs, log) : undefined;
  // A store that is not warmed is as ready as it will be.
  const known = () => ({ check: scheduled?.result(), ...(!warms && { isWarm: true }) });
  const store = { ...parts.store, status: async () => ({ ...(await parts.store.status()), ...known() }) };
  registerStoreStatus(metrics, store.status);
  const memory = memoryShares(config.workers, (found) => log.write('warn', 'little-memory', found));
  const { backends, actions, hooks, images } = await openExtensible(config, parts, memory.images);
  const webhooks = openConfiguredWebhooks(config, parts, options.deliveryTiming);
  const callers = await openCallers(config, { ...parts, ...world });
  const { admin, clients, tokens, lastUse } = callers;

  const types = openSettings(store, hooks, nowMs, (event, error) => log.write('warn', event, { error }));
  const searchCounts = createSearchCounts(store.resources, nowMs);

  const loopDelay = startLoopDelay();
  registerProcessMetrics(metrics, loopDelay);
  const renderMetrics = options.renderMetrics ?? metrics.render;
  const history = createHealthHistory({ render: renderMetrics, nowMs, log });
  const { calls } = options;
  const ownCalls = calls?.own ?? createRecentCalls();
  const requests = () => server.requests();
  const openApiInfo = { version, servers: serversOf(config) };
  const apiRoutes = allRoutes({
    config,
    openApiInfo,
    store,
    clients,
    tokens,
    lastUse,
    searchCounts,
    ...types,
    actions,
    backends,
    callService: createCallService(() => server.handle),
    images,
    webhooks,
    metrics,
    slowQueries: createSlowQueries({ thresholdMs: config.slowQueryMs, nowMs }),
    history,
    listCalls: async () => (calls ? JSON.parse(await calls.all()) : ownCalls.list()),
    renderMetrics,
    requests,
    nowMs,
    newId,
  });
  const { consoleSessions, pages } = openConsole(config, parts, callers);
  const routes = [...apiRoutes, ...pages];
  const server: HttpServer = createServer({
    config,
    routes,
    metrics,
    log,
    loopDelay,
    bodyMemoryBytes: memory.bodies,
    calls: ownCalls,
    nowMs,
    newId,
    verify: tokens.verify,
    cachedCaller: tokens.cached,
    isRevoked: tokens.isRevoked,
  });

  // The first response must not wait for threads that start.
  if (warms) server.listener.once('listening', () => setImmediate(store.warm));
  await tokens.start();
  lastUse.start();
  const failedEvent = 'search-counts-failed';
  const onFailedCounts = (error: unknown) => log.write('warn', failedEvent, { error });
  const stopCounting = startBackgroundTask({ everyMs: 600_000, run: searchCounts.write, log, failedEvent });
  server.listener.once('listening', history.start);
  const stopTidying = tidies ? startTidying(config, parts) : undefined;
  if (tidies) images.start();
  if (tidies) server.listener.once('listening', () => setImmediate(webhooks.start));

  async function close(): Promise<void> {
    scheduled?.stop();
    stopTidying?.();
    history.stop();
    await Promise.all([server.drain(), webhooks.close(), types.close()]);
    backends.close();
    tokens.close();
    stopCounting();
    await Promise.all([lastUse.close(), images.close(), searchCounts.write().catch(onFailedCounts)]);
    await store.close();
  }
  const describe = () => openApiDocument(routes, openApiInfo);
  return { server, store, tokens, images, admin, routes, describe, consoleSessions, close };
}

/** Opens the parts that an operator can extend: backends, update actions, object storage for images. */
async function openExtensible(config: Config, parts: Parts, imageMemoryBytes: number) {
  const { world, log, metrics, store } = parts;
  const { nowMs, newId } = world;
  if (config.backendsFile !== undefined) offerPackage(new URL('./index.ts', import.meta.url));
  const backends = await openBackends({
    file: config.backendsFile,
    timeoutMs: config.backendTimeoutMs,
    maxDocumentBytes: config.maxBodyBytes,
    store: store.resources,
    findImages: createFindImages(store.resources, linkBase(config)),
    metrics,
    log,
    nowMs,
    newId,
  }).catch(refuseSettings);
  const { actions: own, hooks } = await loadConfiguredExtensions(config);
  const actions = createActions(own);
  const files = await openObjectStorage(config, parts);
  const settings = { ...config, imageMemoryBytes };
  const images = openImages({ settings, store: store.resources, files, log, metrics, nowMs, newId });
  return { backends, actions, hooks, images };
}

function openConfiguredWebhooks(
  config: Config,
  { world, log, metrics, store }: Parts,
  timing: AppOptions['deliveryTiming'],
) {
  return openWebhooks({
    store: store.resources,
    changes: store.changes,
    isLogKept: config.historyRetentionDays > 0,
    allowedAddresses: config.webhookAddresses,
    userAgent: `generic-resource-service/${version}`,
    maxDocumentBytes: config.maxBodyBytes,
    metrics,
    log,
    ...world,
    timing,
  });
}

/** The routes of the console, if it is switched on, and the redirect of the start page. */
function openConsole(config: Config, { world, log }: Parts, { admin, clients, tokens, outside }: Callers) {
  const { nowMs, newId } = world;
  const path = servicePath(config);
  if (!config.console) return { consoleSessions: undefined, pages: [startRoute(`${path}/docs`)] };
  const address = publicAddress(config);
  const sessionSeconds = config.tokenLifetimeSeconds;
  const deps = { clients, tokens, admin: admin.client, lifetimeSeconds: sessionSeconds, nowMs, newId };
  const consoleSessions = new Sessions(deps);
  const pages = consoleRoutes({
    sessions: consoleSessions,
    outside: outsideLoginOf(config, outside),
    clients,
    sessionSeconds,
    log,
    nowMs,
    publicAddress: address,
    isSecure: address?.startsWith('https:') ?? false,
    servicePath: path,
  });
  return { consoleSessions, pages: [...pages, startRoute(`${path}/console`)] };
}

/** Starts the background work that one of several processes does. Returns the function that ends it. */
function startTidying(config: Config, { world: { nowMs }, log, store }: Parts): () => void {
  const stops = [
    startDeletingExpired(store.resources, nowMs, log),
    startPruning(store, config, nowMs, log),
    startExpiringSessions(store, nowMs, log),
    startPruningDeadLetters({ store: store.resources, retentionDays: config.deadLetterRetentionDays, nowMs, log }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** An error in a file that a setting names is an error of the settings. */
function refuseSettings(error: unknown): never {
  throw error instanceof BackendsFileError ? new ConfigError(error.problems) : error;
}

/** Opens the object storage for images, if one is configured. Its code is loaded only then. */
async function openObjectStorage(config: Config, { log, metrics, world }: Parts): Promise<ImageStore | undefined> {
  const { imageStoreUrl, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (imageStoreUrl === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const { openS3Store } = await import('./images/s3/store.ts');
  const credentials = { accessKeyId, secretAccessKey, sessionToken: config.s3SessionToken };
  const opened = openS3Store(imageStoreUrl, { credentials, log, metrics, nowMs: world.nowMs });
  if ('problem' in opened) throw new ConfigError([`IMAGE_STORE_URL: ${opened.problem}`]);
  return opened;
}
