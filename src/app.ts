import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import { ensureAdminClient, withAdminClient } from './auth/admin.ts';
import { createLastUse, type LastUse } from './auth/clients/last-use.ts';
import type { TokenService } from './auth/tokens.ts';
import { openBackends } from './backend/backends.ts';
import { BackendsFileError } from './backend/settings.ts';
import { watchVariants } from './backend/variant-images.ts';
import { servicePath } from './config/base-path.ts';
import { memoryShares } from './config/memory.ts';
import { ConfigError } from './config/parse.ts';
import type { Config } from './config/settings.ts';
import { createOutside, createTokens, outsideLoginOf } from './configured-auth.ts';
import { openConfiguredStore, startChecks, startPruning } from './configured-store.ts';
import { consoleRoutes, startRoute } from './console/routes.ts';
import { Sessions } from './console/session.ts';
import type { Backends } from './domain/ports/backend.ts';
import type { ClientStore } from './domain/ports/client-store.ts';
import type { ImageStore } from './domain/ports/image-store.ts';
import type { Store } from './domain/ports/store.ts';
import { createActions } from './domain/resource/actions/index.ts';
import { createUuidV7 } from './domain/uuid.ts';
import { loadActions } from './extensions/load-actions.ts';
import { offerPackage } from './extensions/offer-package.ts';
import { openApiDocument, serversOf } from './http/openapi/document.ts';
import { linkBase, publicAddress } from './http/request/address.ts';
import { startDeletingExpired } from './http/request/idempotency.ts';
import type { Route } from './http/route.ts';
import { allRoutes } from './http/routes/all.ts';
import { createImports, type Imports } from './http/routes/bulk/imports.ts';
import { createServer, type HttpServer } from './http/server.ts';
import { type Images, openImages } from './images/open-images.ts';
import { createHealthHistory, type HealthHistory } from './telemetry/health-history.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { startLoopDelay } from './telemetry/loop-delay.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { registerProcessMetrics } from './telemetry/process-metrics.ts';
import { createRecentCalls, type RecentCalls } from './telemetry/recent-calls.ts';
import { createSlowQueries, type SlowQueries } from './telemetry/slow-queries.ts';
import { registerStoreStatus } from './telemetry/store-metrics.ts';
import { version } from './version.ts';
import type { DeliveryTiming } from './webhooks/delivery/deps.ts';
import { openWebhooks, type Webhooks } from './webhooks/open-webhooks.ts';
import { startPruningDeadLetters } from './webhooks/prune-dead-letters.ts';

/** The clock and the id generator of a process. Tests may pass their own. */
export interface World {
  readonly nowMs: () => number;
  readonly newId: () => string;
}

export function processWorld(): World {
  const nowMs = Date.now;
  return { nowMs, newId: createUuidV7(nowMs, (bytes) => randomFillSync(bytes)) };
}

/** A service that is wired, and listens only when told to. */
export interface App {
  readonly server: HttpServer;
  readonly store: Store;
  readonly tokens: TokenService;
  readonly images: Images;
  readonly admin: Awaited<ReturnType<typeof ensureAdminClient>>;
  readonly routes: readonly Route[];
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

async function wire(
  config: Config,
  parts: Parts,
  { renderMetrics, calls, tidies = true, warms = true, deliveryTiming }: AppOptions,
): Promise<App> {
  const { world, log, metrics } = parts;
  const { nowMs, newId } = world;

  // The store, watched for changes of images.
  const watched = watchVariants(parts.store.resources, linkBase(config));
  const resources = watched.store;
  const scheduled = tidies ? startChecks(config, nowMs, log) : undefined;
  // Where nothing warms the store, it is as ready as it will be.
  const known = () => ({ check: scheduled?.result(), ...(!warms && { isWarm: true }) });
  const status = async () => ({ ...(await parts.store.status()), ...known() });
  const store = { ...parts.store, resources, status };
  registerStoreStatus(metrics, store.status);

  // What the operator adds: backends, update actions, object storage.
  if (config.backendsFile ?? config.actionsDir) offerPackage(new URL('./index.ts', import.meta.url));
  const backends = await openBackends({
    file: config.backendsFile,
    timeoutMs: config.backendTimeoutMs,
    maxDocumentBytes: config.maxBodyBytes,
    store: resources,
    images: watched.images,
    metrics,
    log,
    nowMs,
    newId,
  }).catch(refuseSettings);
  const actions = createActions(config.actionsDir === undefined ? [] : await loadActions(config.actionsDir));
  const files = await openObjectStorage(config, parts);
  const memory = memoryShares(config.workers, (found) => log.write('warn', 'little-memory', found));
  const imageSettings = { ...config, imageMemoryBytes: memory.images };
  const images = openImages({ settings: imageSettings, store: resources, files, log, metrics, nowMs, newId });
  const webhooks = openWebhooks({
    ...{
      store: resources,
      changes: store.changes,
      isLogKept: config.historyRetentionDays > 0,
      allowedAddresses: config.webhookAddresses,
    },
    ...{ userAgent: `generic-resource-service/${version}`, maxDocumentBytes: config.maxBodyBytes },
    ...{ metrics, log, nowMs, newId, timing: deliveryTiming },
  });

  // Who may call.
  const admin = await ensureAdminClient({ ...config, nowMs });
  const clients = withAdminClient(store.clients, admin.client);
  const outside = createOutside(config, nowMs);
  const onError = (error: unknown) => log.write('warn', 'last-use-failed', { error });
  const lastUse = createLastUse({ store: resources, clients, nowMs, onError });
  const tokens = createTokens(config, { clients, nowMs, newId, log, metrics, outside, onUse: lastUse.note });

  // The HTTP server.
  const loopDelay = startLoopDelay();
  registerProcessMetrics(metrics, loopDelay);
  const sessionSeconds = config.tokenLifetimeSeconds;
  const consoleSessions = config.console
    ? new Sessions({ clients, tokens, admin: admin.client, lifetimeSeconds: sessionSeconds, nowMs, newId })
    : undefined;
  const history = createHealthHistory({
    ...{ render: renderMetrics ?? metrics.render, nowMs },
    onError: (error) => log.write('warn', 'health-sample-failed', { error }),
  });
  const ownCalls = calls?.own ?? createRecentCalls();
  const isDraining = () => server.isDraining();
  const requests = () => server.requests();
  const imports = createImports({ store, isDraining, requests, nowMs, newId });
  const apiRoutes = allRoutes({
    config,
    openApiInfo: { version, servers: serversOf(config) },
    store,
    clients,
    tokens,
    lastUse,
    actions,
    backends,
    images,
    webhooks,
    imports,
    temporaryFolder: join(config.dataDir, 'tmp'),
    metrics,
    slowQueries: createSlowQueries({ thresholdMs: config.slowQueryMs, nowMs }),
    history,
    listCalls: async () => (calls ? JSON.parse(await calls.all()) : ownCalls.list()),
    renderMetrics: renderMetrics ?? metrics.render,
    isDraining,
    nowMs,
    newId,
  });
  const address = publicAddress(config);
  const path = servicePath(config);
  const reached = { publicAddress: address, isSecure: address?.startsWith('https:') ?? false, servicePath: path };
  const sessionDeps = { clients, sessionSeconds, log, nowMs, ...reached };
  const pages = consoleSessions
    ? consoleRoutes({ sessions: consoleSessions, outside: outsideLoginOf(config, outside), ...sessionDeps })
    : [];
  const routes = [...apiRoutes, ...pages, startRoute(path + (consoleSessions ? '/console' : '/docs'))];
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

  // Background work, of which some is done by only one of several processes.
  await tokens.start();
  lastUse.start();
  server.listener.once('listening', history.start);
  const stopDeleting = tidies ? startDeletingExpired(resources, nowMs, log) : undefined;
  const stopPruning = tidies ? startPruning(store, config, nowMs, log) : undefined;
  const stopPruningLetters = tidies
    ? startPruningDeadLetters({ store: resources, retentionDays: config.deadLetterRetentionDays, nowMs, log })
    : undefined;
  if (tidies) images.start();
  if (tidies) server.listener.once('listening', () => setImmediate(webhooks.start));

  async function close(): Promise<void> {
    scheduled?.stop();
    stopDeleting?.();
    history.stop();
    stopPruningLetters?.();
    stopPruning?.();
    await Promise.all([server.drain(), webhooks.close()]);
    backends.close();
    tokens.close();
    await Promise.all([lastUse.close(), images.close(), imports.close()]);
    await store.close();
  }
  return { server, store, tokens, images, admin, routes, consoleSessions, close };
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

/** The OpenAPI document of a configuration, as indented JSON. Nothing is opened: the handlers are not called. */
export function describeApi(config: Config): string {
  const openApiInfo = { version, servers: serversOf(config) };
  const routes = allRoutes({
    config,
    openApiInfo,
    store: {} as Store,
    clients: {} as ClientStore,
    tokens: {} as TokenService,
    lastUse: {} as LastUse,
    actions: createActions(),
    backends: {} as Backends,
    images: {} as Images,
    webhooks: {} as Webhooks,
    imports: {} as Imports,
    temporaryFolder: '',
    metrics: createMetrics(),
    slowQueries: {} as SlowQueries,
    history: {} as HealthHistory,
    listCalls: async () => [],
    renderMetrics: () => '',
    isDraining: () => false,
    ...processWorld(),
  });
  return `${JSON.stringify(openApiDocument(routes, openApiInfo), undefined, 2)}\n`;
}
