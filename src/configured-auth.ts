import { ensureAdminClient, withAdminClient } from './auth/admin.ts';
import { createLastUse, type LastUse } from './auth/clients/last-use.ts';
import { createOutsideIssuer, type OutsideIssuer } from './auth/outside/issuer.ts';
import { createOutsideLogin, type OutsideLogin } from './auth/outside/login.ts';
import { createTokenService, type TokenService, type TokenServiceDeps } from './auth/tokens.ts';
import type { Config } from './config/settings.ts';
import type { ClientStore } from './domain/ports/client-store.ts';
import type { Store } from './domain/ports/store.ts';
import { localAddress, publicAddress } from './http/request/address.ts';
import { type Log, withoutRepeats } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** The outside issuer whose tokens are accepted, if one is configured. Nothing is fetched yet. */
export function createOutside(config: Config, nowMs: () => number): OutsideIssuer | undefined {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcScopeClaim: scopeClaim } = config;
  if (issuer === undefined || audience === undefined) return undefined;
  return createOutsideIssuer({ issuer, audience, scopeClaim, nowMs });
}

/** The login to the console by that issuer, and its address, if one is configured. */
export function outsideLoginOf(
  config: Config,
  issuer: OutsideIssuer | undefined,
): { readonly login: OutsideLogin; readonly issuer: string } | undefined {
  const { consoleOidcClientId: clientId, consoleOidcClientSecret: clientSecret, consoleOidcScope: scope } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  const login = createOutsideLogin({ issuer, clientId, clientSecret, scope, audience: config.oidcAudience! });
  return { login, issuer: issuer.issuer };
}

/** The token service of a configuration, over the clients of a store. Call `start` before use. */
export function createTokens(
  config: Config,
  deps: Pick<TokenServiceDeps, 'clients' | 'nowMs' | 'newId' | 'metrics' | 'onUse'> & {
    readonly log: Log;
    readonly outside?: OutsideIssuer | undefined;
  },
): TokenService {
  const { outside, ...rest } = deps;
  return createTokenService({
    ...rest,
    log: withoutRepeats(deps.log),
    // Fixed at the start, never taken from a request.
    issuer: config.issuer ?? publicAddress(config) ?? localAddress(config),
    tokenLifetimeSeconds: config.tokenLifetimeSeconds,
    keyRotationDays: config.keyRotationDays,
    ...(outside && { outside }),
  });
}

/** The callers: API clients, their tokens, and those of an outside issuer. */
export interface Callers {
  readonly admin: Awaited<ReturnType<typeof ensureAdminClient>>;
  readonly clients: ClientStore;
  readonly outside: OutsideIssuer | undefined;
  readonly lastUse: LastUse;
  /** Call `start` before use. */
  readonly tokens: TokenService;
}

interface CallersDeps {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** Opens the API clients and their tokens. */
export async function openCallers(config: Config, deps: CallersDeps): Promise<Callers> {
  const { store, metrics, log, nowMs, newId } = deps;
  const admin = await ensureAdminClient({ ...config, nowMs });
  const clients = withAdminClient(store.clients, admin.client);
  const outside = createOutside(config, nowMs);
  const lastUse = createLastUse({ store: store.resources, clients, nowMs, log });
  const tokens = createTokens(config, { clients, nowMs, newId, log, metrics, outside, onUse: lastUse.note });
  return { admin, clients, outside, lastUse, tokens };
}
