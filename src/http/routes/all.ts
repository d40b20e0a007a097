import type { LastUse } from '../../auth/clients/last-use.ts';
import type { TokenService } from '../../auth/tokens.ts';
import { Cache } from '../../cache/cache.ts';
import { servicePath } from '../../config/base-path.ts';
import type { Config } from '../../config/settings.ts';
import { createFeeds } from '../../domain/history/feed.ts';
import type { Backends } from '../../domain/ports/backend.ts';
import type { ClientStore } from '../../domain/ports/client-store.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';
import type { Store } from '../../domain/ports/store.ts';
import type { Actions } from '../../domain/resource/actions/define.ts';
import { type CachedSettings, createSettingsReader } from '../../domain/search/stored-settings.ts';
import type { Images } from '../../images/open-images.ts';
import type { HealthHistory } from '../../telemetry/health-history.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { RecentCall } from '../../telemetry/recent-calls.ts';
import type { SlowQueries } from '../../telemetry/slow-queries.ts';
import type { Webhooks } from '../../webhooks/open-webhooks.ts';
import type { OpenApiInfo } from '../openapi/document.ts';
import { linkBase } from '../request/address.ts';
import type { Route } from '../route.ts';
import { apiClientRoutes } from './auth/api-clients.ts';
import { oauthRoutes } from './auth/oauth.ts';
import { actionRoutes } from './backend/actions.ts';
import { backendStateRoutes } from './backend/state.ts';
import { batchRoutes } from './bulk/batch.ts';
import { exportRoutes } from './bulk/export.ts';
import { importRoutes } from './bulk/import.ts';
import type { Imports } from './bulk/imports.ts';
import { eventRoutes } from './events/events.ts';
import { streamTimes } from './events/stream.ts';
import { deletedRoutes } from './history/deleted.ts';
import { historyRoutes } from './history/history.ts';
import { imageRoutes } from './images/upload.ts';
import { callRoutes } from './operations/calls.ts';
import { docsRoutes } from './operations/docs.ts';
import { healthRoutes } from './operations/health.ts';
import { serviceRoutes } from './operations/overview.ts';
import { projectRoutes } from './project.ts';
import { complexRoutes } from './resources/complex.ts';
import { listRoutes } from './resources/lists.ts';
import { resourceReadRoutes } from './resources/reads.ts';
import { searchRoutes } from './resources/search.ts';
import { suggestionRoutes } from './resources/suggestions.ts';
import { resourceWriteRoutes } from './resources/writes.ts';
import { settingsRoutes } from './settings/search.ts';
import { deliveryRoutes } from './subscriptions/deliveries.ts';
import { subscriptionRoutes } from './subscriptions/subscriptions.ts';

/** Projects whose settings are kept for their searches. */
const maxCachedSettings = 1000;

export interface RouteDeps {
  readonly config: Config;
  readonly openApiInfo: OpenApiInfo;
  readonly store: Store;
  readonly clients: ClientStore;
  readonly tokens: TokenService;
  readonly lastUse: LastUse;
  readonly actions: Actions;
  readonly backends: Backends;
  readonly images: Images;
  readonly webhooks: Webhooks;
  readonly imports: Imports;
  readonly temporaryFolder: string;
  readonly metrics: Metrics;
  readonly slowQueries: SlowQueries;
  readonly history: HealthHistory;
  /** The calls that all processes of the service remember. */
  readonly listCalls: () => Promise<readonly RecentCall[]>;
  /** The metrics of all processes of the service. */
  readonly renderMetrics: () => Eventually<string>;
  readonly isDraining: () => boolean;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** All routes of the service, in the order of the documentation. */
export function allRoutes(deps: RouteDeps): readonly Route[] {
  const { config, tokens, images, metrics, nowMs, newId } = deps;
  const { resources: store, eventual } = deps.store;
  const baseUrl = linkBase(config);
  const { cursors } = tokens;
  const { slowQueries } = deps;
  const lists = { store, eventual, metrics, slowQueries, maxPageBytes: config.maxPageBytes, cursors, baseUrl };
  const feeds = createFeeds({ store, log: deps.store.changes });
  const isLogKept = config.historyRetentionDays > 0;
  const settingsCache = new Cache<string, CachedSettings>({ maxEntries: maxCachedSettings });
  const settings = createSettingsReader(store, settingsCache, nowMs);
  const single = {
    store,
    eventual,
    log: deps.store.changes,
    actions: deps.actions,
    maxDocumentBytes: config.maxBodyBytes,
    maxPageBytes: config.maxPageBytes,
    baseUrl,
    nowMs,
    newId,
  };
  const routes = [
    ...projectRoutes(single),
    ...listRoutes(lists),
    ...searchRoutes({ ...lists, settings }),
    ...suggestionRoutes({ ...lists, settings }),
    ...resourceReadRoutes(single),
    ...resourceWriteRoutes(single),
    ...complexRoutes(single),
    ...historyRoutes(single),
    ...deletedRoutes(single),
    ...eventRoutes({ feeds, isLogKept, times: streamTimes, metrics }),
    ...batchRoutes(single),
    ...importRoutes({ ...single, imports: deps.imports, temporaryFolder: deps.temporaryFolder }),
    ...exportRoutes({ store, feeds: isLogKept ? feeds : undefined, isDraining: deps.isDraining }),
    ...imageRoutes({ ...single, cursors, images, maxBytes: config.imageMaxBytes }),
    // Settings are stored as JSON within JSON.
    ...settingsRoutes({ ...single, settings, maxDocumentBytes: 2 * config.maxBodyBytes }),
    ...actionRoutes(deps),
    ...backendStateRoutes(deps),
    ...subscriptionRoutes({ ...single, webhooks: deps.webhooks }),
    ...deliveryRoutes({ ...single, webhooks: deps.webhooks }),
    ...oauthRoutes(deps),
    ...apiClientRoutes({ ...deps, baseUrl }),
    ...callRoutes(deps),
    ...serviceRoutes(deps),
    ...healthRoutes({ status: deps.store.status, isDraining: deps.isDraining, renderMetrics: deps.renderMetrics }),
  ];
  return [...routes, ...docsRoutes(routes, deps.openApiInfo, servicePath(config))];
}
