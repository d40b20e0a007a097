import { createOutsideIssuer, type OutsideIssuer } from './auth/outside/issuer.ts';
import { createOutsideLogin, type OutsideLogin } from './auth/outside/login.ts';
import { createTokenService, type TokenService, type TokenServiceDeps } from './auth/tokens.ts';
import type { Config } from './config/settings.ts';
import { localAddress, publicAddress } from './http/request/address.ts';
import { type Log, withoutRepeats } from './telemetry/log.ts';

/** The outside issuer whose tokens are accepted, if one is configured. Nothing is fetched yet. */
export function createOutside(config: Config, nowMs: () => number): OutsideIssuer | undefined {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcJwksUri: jwksUri, oidcScopeClaim: scopeClaim } = config;
  if (issuer === undefined || audience === undefined) return undefined;
  return createOutsideIssuer({ issuer, audience, jwksUri, scopeClaim, nowMs });
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
  const log = withoutRepeats(deps.log);
  return createTokenService({
    ...rest,
    // Fixed at the start, never taken from a request.
    issuer: config.issuer ?? publicAddress(config) ?? localAddress(config),
    tokenLifetimeSeconds: config.tokenLifetimeSeconds,
    keyRotationDays: config.keyRotationDays,
    onError: (error) => log.write('warn', 'token-reload-failed', { error }),
    ...(outside && { outside }),
  });
}
