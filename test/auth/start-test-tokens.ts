import type { TestContext } from 'node:test';
import { createApiClient } from '../../src/auth/clients/api-clients.ts';
import { createTokenService, type TokenService, type TokenServiceDeps } from '../../src/auth/tokens.ts';
import type { ApiClient } from '../../src/domain/ports/client-store.ts';
import { openTestClients, type TestClients } from './open-test-clients.ts';

export const testIssuer = 'https://api.example.test';

export interface Clock {
  nowMs: number;
}

export interface TestTokens extends TestClients {
  readonly clock: Clock;
  readonly tokens: TokenService;
  readonly deps: TokenServiceDeps;
  newId(): string;
  newClient(projectKey: string, ...scopes: readonly string[]): Promise<{ client: ApiClient; secret: string }>;
}

/** A started token service over a real store, with a clock that the test turns. Closed with the test. */
export async function startTestTokens(t: TestContext, more: Partial<TokenServiceDeps> = {}): Promise<TestTokens> {
  const store = openTestClients();
  const clock: Clock = { nowMs: Date.UTC(2030, 0, 15, 12, 0, 0, 250) };
  let ids = 0;
  const newId = () => `id-${String(++ids).padStart(6, '0')}`;
  const nowMs = () => clock.nowMs;
  const deps = {
    ...{ clients: store.clients, issuer: testIssuer, tokenLifetimeSeconds: 3600, keyRotationDays: 90, nowMs, newId },
    ...more,
  };
  const tokens = createTokenService(deps);
  await tokens.start();
  t.after(() => {
    tokens.close();
    store.close();
  });
  const newClient = (projectKey: string, ...scopes: readonly string[]) =>
    createApiClient({ clients: store.clients, nowMs, newId }, projectKey, { name: 'Test', scopes });
  return { ...store, clock, tokens, deps, newId, newClient };
}
