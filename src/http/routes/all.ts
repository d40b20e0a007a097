import type { LastUse } from '../../auth/clients/last-use.ts';
import type { TokenService } from '../../auth/tokens.ts';
import { servicePath } from '../../config/base-path.ts';
import type { Config } from '../../config/settings.ts';
import type { JsonObject } from '../../contract/json.ts';
import { createPace } from '../../domain/bulk/pace.ts';
import { createFeeds } from '../../domain/history/feed.ts';
import type { Backends, CallService } from '../../domain/ports/backend.ts';
import type { ClientStore } from '../../domain/ports/client-store.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';
import type { Store } from '../../domain/ports/store.ts';
import type { Actions } from '../../domain/resource/actions/define.ts';
import type { SearchCounts } from '../../domain/search/counts/search-counts.ts';
import type { OpenedTypes } from '../../domain/types/open-types.ts';
import type { Images } from '../../images/open-images.ts';
import type { HealthHistory } from '../../telemetry/health-history.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { RecentCall } from '../../telemetry/recent-calls.ts';
import type { SlowQueries } from '../../telemetry/slow-queries.ts';
import type { Webhooks } from '../../webhooks/open-webhooks.ts';
import { type OpenApiInfo, openApiDocument } from '../openapi/document.ts';
import { linkBase } from '../request/address.ts';
import type { Route } from '../route.ts';
import { nameConflictActors } from './actors.ts';
import { apiClientRoutes } from './auth/api-clients.ts';
import { oauthRoutes } from './auth/oauth.ts';
import { actionRoutes } from './backend/actions.ts';
import { sessionRoutes } from './backend/sessions.ts';
import { backendStateRoutes } from './backend/state.ts';
import { batchRoutes } from './bulk/batch.ts';
import { byPredicateRoutes } from './bulk/by-predicate.ts';
import { exportRoutes } from './bulk/export.ts';
import { importRoutes } from './bulk/import.ts';
import { eventRoutes } from './events/events.ts';
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
import { accessSettingsRoutes } from './settings/access.ts';
import { searchSettingsRoutes } from './settings/search.ts';
import { searchesRoutes } from './settings/searches.ts';
import { deliveryRoutes } from './subscriptions/deliveries.ts';
import { subscriptionRoutes } from './subscriptions/subscriptions.ts';
import { typeDocumentRoutes } from './types/documents.ts';
import { referenceRoutes } from './types/references.ts';
import { typeRoutes } from './types/types.ts';

/** The parts of the service that its routes use. */
export interface ServiceParts extends OpenedTypes {
  readonly config: Config;
  readonly openApiInfo: OpenApiInfo;
  readonly store: Store;
  readonly clients: ClientStore;
  readonly tokens: TokenService;
  readonly lastUse: LastUse;
  readonly searchCounts: SearchCounts;
  readonly actions: Actions;
  readonly backends: Backends;
  /** Sends a request through the service without a socket. */
  readonly callService: CallService;
  readonly images: Images;
  readonly webhooks: Webhooks;
  readonly metrics: Metrics;
  readonly slowQueries: SlowQueries;
  readonly history: HealthHistory;
  /** The calls that all processes of the service remember. */
  readonly listCalls: () => Promise<readonly RecentCall[]>;
  /** The metrics of all processes of the service. */
  readonly renderMetrics: () => Eventually<string>;
  /** How many requests of callers have begun. */
  readonly requests: () => number;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** All that routes use. A route that a test makes by itself names what it takes. */
export type RouteDeps = ReturnType<typeof depsOf>;

function depsOf({ store: parts, ...others }: ServiceParts) {
  const { config } = others;
  const { resources: store, changes: log, ...own } = parts;
  return {
    ...{ ...own, ...others, store, log },
    /** False if the service keeps no log of changes. */
    isLogKept: config.historyRetentionDays > 0,
    feeds: createFeeds({ store, log }),
    /** How imports and changes by predicate share the process with other callers. */
    pace: createPace(others.requests),
    cursors: others.tokens.cursors,
    maxDocumentBytes: config.maxBodyBytes,
    /** Bound of a response with the references that were put into it. */
    maxPageBytes: config.maxPageBytes,
    /** The public address that links begin with (decision 31). If it is empty, links are paths. */
    baseUrl: linkBase(config),
  };
}

/** All routes of the service, in the order of the documentation. */
export function allRoutes(parts: ServiceParts): readonly Route[] {
  const deps = depsOf(parts);
  const routes = [
    ...projectRoutes(deps),
    ...listRoutes(deps),
    ...searchRoutes(deps),
    ...suggestionRoutes(deps),
    ...resourceReadRoutes(deps),
    ...referenceRoutes(deps),
    ...resourceWriteRoutes(deps),
    ...complexRoutes(deps),
    ...historyRoutes(deps),
    ...deletedRoutes(deps),
    ...eventRoutes(deps),
    ...batchRoutes(deps),
    ...byPredicateRoutes(deps),
    ...importRoutes(deps),
    ...exportRoutes(deps),
    ...imageRoutes(deps),
    ...searchSettingsRoutes(deps),
    ...typeRoutes(deps),
    ...accessSettingsRoutes(deps),
    ...searchesRoutes(deps),
    ...actionRoutes(deps),
    ...backendStateRoutes(deps),
    ...sessionRoutes(deps),
    ...subscriptionRoutes(deps),
    ...deliveryRoutes(deps),
    ...oauthRoutes(deps),
    ...apiClientRoutes(deps),
    ...callRoutes(deps),
    ...serviceRoutes(deps),
    ...healthRoutes(deps),
  ];
  const service = (): JsonObject => openApiDocument(all, deps.openApiInfo) as JsonObject;
  const refine = nameConflictActors(deps);
  const all = [...routes, ...typeDocumentRoutes(deps, service)].map((route) =>
    route.errors?.includes('ConcurrentModification') ? { ...route, refine } : route,
  );
  return [...all, ...docsRoutes(all, deps.openApiInfo, servicePath(deps.config))];
}
