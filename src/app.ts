import { randomFillSync } from 'node:crypto';
import { ensureAdminClient, withAdminClient } from './auth/admin.ts';
import { createOutsideIssuer } from './auth/outside-issuer.ts';
import { createTokenService, type TokenService } from './auth/tokens.ts';
import { openBackends } from './backend/backends.ts';
import { BackendsFileError } from './backend/settings.ts';
import { watchVariants } from './backend/variant-images.ts';
import { ConfigError } from './config/parse.ts';
import type { Config } from './config/settings.ts';
import { openConfiguredStore } from './configured-store.ts';
import type { Backends } from './domain/ports/backend.ts';
import type { ClientStore } from './domain/ports/client-store.ts';
import type { Eventually } from './domain/ports/eventually.ts';
import type { ImageStore } from './domain/ports/image-store.ts';
import type { Store } from './domain/ports/store.ts';
import type { Actions } from './domain/resource/actions/define.ts';
import { createActions } from './domain/resource/actions/index.ts';
import { createUuidV7 } from './domain/uuid.ts';
import { loadActions } from './extensions/load-actions.ts';
import { type OpenApiServer, openApiDocument } from './http/openapi/document.ts';
import { publicAddress } from './http/request/address.ts';
import type { Route } from './http/route.ts';
import { apiClientRoutes } from './http/routes/auth/api-clients.ts';
import { oauthRoutes } from './http/routes/auth/oauth.ts';
import { actionRoutes } from './http/routes/backend/actions.ts';
import { imageRoutes } from './http/routes/images/upload.ts';
import { docsRoutes } from './http/routes/operations/docs.ts';
import { healthRoutes, type Readiness } from './http/routes/operations/health.ts';
import { complexRoutes } from './http/routes/resources/complex.ts';
import { listRoutes } from './http/routes/resources/lists.ts';
import { resourceReadRoutes } from './http/routes/resources/reads.ts';
import { searchRoutes } from './http/routes/resources/search.ts';
import { resourceWriteRoutes } from './http/routes/resources/writes.ts';
import { createServer, type HttpServer } from './http/server.ts';
import { type Images, openImages } from './images/open-images.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { startLoopDelay } from './telemetry/loop-delay.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { registerProcessMetrics } from './telemetry/process-metrics.ts';
import { version } from './version.ts';

/** The clock and the ids of a process; tests may bring their own. */
export interface World {
  readonly nowMs: () => number;
  readonly newId: () => string;
}

export function processWorld(): World {
  const nowMs = Date.now;
  return { nowMs, newId: createUuidV7(nowMs, (bytes) => randomFillSync(bytes)) };
}

/** The issuer of our tokens: fixed at the start, never taken from a request. */
function issuerOf(config: Config): string {
  return config.issuer ?? publicAddress(config) ?? `http://${config.host}:${config.port}`;
}

/** The token service of a configuration over the clients of a store; call `start`. */
export function createTokens(
  config: Config,
  clients: ClientStore,
  world: World,
  log: Log,
  metrics: Metrics = createMetrics(),
): TokenService {
  const { oidcIssuer, oidcAudience } = config;
  const outside =
    oidcIssuer !== undefined && oidcAudience !== undefined
      ? createOutsideIssuer({
          ...{ issuer: oidcIssuer, audience: oidcAudience, jwksUri: config.oidcJwksUri },
          ...{ scopeClaim: config.oidcScopeClaim, nowMs: world.nowMs },
        })
      : undefined;
  return createTokenService({
    ...{ clients, issuer: issuerOf(config), metrics, ...world },
    ...{ tokenLifetimeSeconds: config.tokenLifetimeSeconds, keyRotationDays: config.keyRotationDays },
    onError: (error) => log.write('warn', 'token-reload-failed', { error }),
    ...(outside ? { outside } : {}),
  });
}

interface RouteParts {
  readonly config: Config;
  readonly store: Store;
  readonly clients: ClientStore;
  readonly tokens: TokenService;
  readonly actions: Actions;
  readonly backends: Backends;
  readonly images: Images;
  readonly world: World;
  readonly metrics: Metrics;
  /** Metrics of all processes of the service. */
  readonly renderMetrics: () => Eventually<string>;
  readonly ready: () => Promise<Readiness>;
}

/** Every route of the service, in the order of the documentation. */
function allRoutes(parts: RouteParts): readonly Route[] {
  const { config, store, clients, tokens, actions, backends, images, world, metrics, renderMetrics, ready } = parts;
  const { maxPageBytes, maxBodyBytes } = config;
  const baseUrl = publicAddress(config) ?? '';
  const reads = { store: store.resources, eventual: store.eventual };
  const single = { ...reads, actions, maxDocumentBytes: maxBodyBytes, baseUrl, ...world };
  const routes = [
    ...listRoutes({ ...reads, maxPageBytes, metrics }),
    ...searchRoutes({ ...reads, maxPageBytes, metrics }),
    ...resourceReadRoutes(single),
    ...resourceWriteRoutes(single),
    ...complexRoutes(single),
    ...imageRoutes({ ...single, images, maxBytes: config.imageMaxBytes }),
    ...actionRoutes({ backends }),
    ...oauthRoutes({ clients, tokens }),
    ...apiClientRoutes({ clients, tokens, ...world }),
    ...healthRoutes({ ready, metrics: { render: renderMetrics } }),
  ];
  return [...routes, ...docsRoutes(routes, { version, servers: serversOf(config) })];
}

/** Where the API is, for the OpenAPI document: this node, and the public form of decision 31. */
function serversOf({ region, cloudProvider, domain }: Config): readonly OpenApiServer[] {
  return [
    { url: '/', description: 'The node that serves this document.' },
    {
      url: `https://api.{region}.{cloudProvider}.${domain ?? 'example.com'}`,
      description: 'The public address.',
      variables: {
        region: { default: region ?? 'eu-central-1', description: 'Region of the node.' },
        cloudProvider: { default: cloudProvider ?? 'aws', description: 'Cloud provider of the node.' },
      },
    },
  ];
}

/** The OpenAPI document of a configuration as indented JSON. Nothing is opened: handlers are described, not called. */
export function describeApi(config: Config): string {
  const unused = {} as Store;
  const routes = allRoutes({
    ...{ config, store: unused, clients: unused.clients, tokens: {} as TokenService, actions: createActions() },
    ...{ backends: {} as Backends, images: {} as Images },
    ...{
      world: processWorld(),
      metrics: createMetrics(),
      renderMetrics: () => '',
      ready: () => Promise.resolve({ ok: true, checks: {} }),
    },
  });
  return `${JSON.stringify(openApiDocument(routes, { version, servers: serversOf(config) }), undefined, 2)}\n`;
}

/** A service that is wired and listens only when told. */
export interface App {
  readonly server: HttpServer;
  readonly store: Store;
  readonly tokens: TokenService;
  readonly images: Images;
  readonly admin: Awaited<ReturnType<typeof ensureAdminClient>>;
  readonly routes: readonly Route[];
  /** Answers what is in flight, then closes everything. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly log?: Log;
  readonly metrics?: Metrics;
  /** A store that is being opened already; else the one of the configuration is. */
  readonly store?: Promise<Store>;
  readonly world?: World;
  /** The disk failed, or a fault nobody caught: the process should end. */
  readonly onFatal?: (message: string) => void;
  /** Metrics of all processes of the service; else those of this one. */
  readonly renderMetrics?: () => Promise<string>;
  /** False where another process of the service tidies up in the background. */
  readonly tidies?: boolean;
}

async function readiness(store: Store, isDraining: boolean): Promise<Readiness> {
  const status = await store.status();
  const checks = {
    store: status.writable ? 'ok' : (status.reason ?? 'not writable'),
    process: isDraining ? 'shutting down' : 'ok',
  };
  return { ok: status.writable && !isDraining, checks };
}

const cleaningMs = 10 * 60_000;

/** Forgets answers kept for repeats when their day is over (decision 33). */
function startCleaning(store: Store, { nowMs }: World, log: Log): NodeJS.Timeout {
  const clean = () =>
    store.resources.deleteExpiredResponses(nowMs()).catch((error: unknown) => {
      log.write('warn', 'cleaning-failed', { error });
    });
  return setInterval(clean, cleaningMs).unref();
}

/** What the store tells of its size, read when the metrics are asked for. */
function registerStoreSize(metrics: Metrics, store: Store): void {
  let last = { sizeBytes: 0, logBytes: 0 };
  const read = (name: 'sizeBytes' | 'logBytes') => () => {
    // The answer comes a moment later: the next scrape has it.
    store.status().then(
      (status) => {
        last = status;
      },
      () => {},
    );
    return last[name];
  };
  metrics.gauge('grs_store_bytes', 'Size of the database.', read('sizeBytes'));
  metrics.gauge('grs_store_log_bytes', 'Size of the write-ahead log.', read('logBytes'));
}

/** Wires a configuration into a service. Throws where the store refuses or a route is not fit. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const world = options.world ?? processWorld();
  const log = options.log ?? createLog({ level: config.logLevel, stream: process.stdout, nowMs: world.nowMs });
  const metrics = options.metrics ?? createMetrics();
  const onFatal = options.onFatal ?? (() => {});
  const store = await (options.store ?? openConfiguredStore(config, { log, metrics, onFatal }, 'exclusive'));
  try {
    return await wire(config, { world, log, metrics, store }, options);
  } catch (error) {
    // What was opened keeps the process alive.
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

/** What is wrong in the file that a setting names is wrong with the settings. */
function refuseSettings(error: unknown): never {
  throw error instanceof BackendsFileError ? new ConfigError(error.problems) : error;
}

/** The object storage that the settings name for images, if any; its code is loaded only then. */
async function openObjectStorage(config: Config, { log, metrics, world }: Parts): Promise<ImageStore | undefined> {
  const { imageStoreUrl, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (imageStoreUrl === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const { openS3Store } = await import('./images/s3/store.ts');
  const credentials = { accessKeyId, secretAccessKey, sessionToken: config.s3SessionToken };
  const opened = openS3Store(imageStoreUrl, { credentials, log, metrics, nowMs: world.nowMs });
  if ('problem' in opened) throw new ConfigError([`IMAGE_STORE_URL: ${opened.problem}`]);
  return opened;
}

async function wire(config: Config, parts: Parts, { renderMetrics, tidies = true }: AppOptions): Promise<App> {
  const { world, log, metrics, store: opened } = parts;
  const { store: resources, images: variantImages } = watchVariants(opened.resources, publicAddress(config) ?? '');
  const store = { ...opened, resources };
  const backends = await openBackends({
    ...{ file: config.backendsFile, timeoutMs: config.backendTimeoutMs, maxDocumentBytes: config.maxBodyBytes },
    ...{ store: resources, images: variantImages, metrics, log, ...world },
  }).catch(refuseSettings);
  const files = await openObjectStorage(config, parts);
  const images = openImages({ settings: config, store: resources, files, log, metrics, ...world });
  const actions = createActions(config.actionsDir === undefined ? [] : await loadActions(config.actionsDir));
  const admin = await ensureAdminClient({ ...config, nowMs: world.nowMs });
  const clients = withAdminClient(store.clients, admin.client);
  const tokens = createTokens(config, clients, world, log, metrics);
  let server: HttpServer | undefined;
  const ready = () => readiness(store, server?.isDraining() ?? false);
  const routes = allRoutes({
    config,
    store,
    clients,
    tokens,
    actions,
    backends,
    images,
    world,
    metrics,
    renderMetrics: renderMetrics ?? metrics.render,
    ready,
  });
  registerStoreSize(metrics, store);
  const loopDelay = startLoopDelay();
  registerProcessMetrics(metrics, loopDelay);
  server = createServer({
    ...{ config, routes, metrics, log, loopDelay, ...world },
    verify: tokens.verify,
    cachedCaller: tokens.cached,
  });
  await tokens.start();
  const cleaner = tidies ? startCleaning(store, world, log) : undefined;
  if (tidies) images.start();
  const close = async () => {
    clearInterval(cleaner);
    await server.drain();
    backends.close();
    tokens.close();
    await images.close();
    await store.close();
  };
  return { server, store, tokens, images, admin, routes, close };
}
