import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { createOutsideIssuer } from '../../src/auth/outside/issuer.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { newClient, postForm } from '../api/oauth-requests.ts';
import { startTestApi } from '../start-test-api.ts';
import { startTestTokens } from './start-test-tokens.ts';

interface Provider {
  readonly issuer: string;
  readonly requests: string[];
  /** Status of the responses; 200 at first. */
  status: number;
  keys: JWK[];
  discovery: object;
}

/** A real HTTP server that serves a discovery document and a key set. */
async function startProvider(t: TestContext): Promise<Provider> {
  const server = createServer((request, response) => {
    provider.requests.push(request.url!);
    const body = request.url === '/keys' ? { keys: provider.keys } : provider.discovery;
    response.writeHead(provider.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const discovery = { issuer, jwks_uri: `${issuer}/keys` };
  const provider: Provider = { issuer, requests: [], status: 200, keys: [], discovery };
  return provider;
}

async function newKey(provider: Provider, kid: string, alg = 'RS256'): Promise<CryptoKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  provider.keys.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
  return privateKey;
}

const nowMs = () => Date.UTC(2030, 0, 1);
const nowSeconds = nowMs() / 1000;

function sign(provider: Provider, key: CryptoKey, kid: string, claims: object = {}, alg = 'RS256'): Promise<string> {
  const standard = { iss: provider.issuer, aud: 'grs', sub: 'alice', azp: 'portal', jti: 'j', exp: nowSeconds + 60 };
  return new SignJWT({ ...standard, iat: nowSeconds, scope: 'openid view_test:p', ...claims })
    .setProtectedHeader({ alg, kid })
    .sign(key);
}

function outsideOf(provider: Provider, more: { scopeClaim?: string; nowMs?: () => number } = {}) {
  const settings = { issuer: provider.issuer, audience: 'grs', scopeClaim: 'scope', nowMs };
  return createOutsideIssuer({ ...settings, ...more });
}

async function refusal(verify: Promise<unknown>): Promise<ServiceError> {
  const error = await verify.then(
    () => assert.fail('the token was accepted'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
}

test('a token of the outside issuer is good: keys are discovered, unknown scopes left out', async (t) => {
  const provider = await startProvider(t);
  const token = await sign(provider, await newKey(provider, 'k1'), 'k1');
  const { caller } = await outsideOf(provider).verify(token);
  assert.equal(caller.clientId, 'oidc:portal');
  assert.equal(caller.jti, 'oidc:j');
  assert.deepEqual([...caller.scopes], ['view_test:p']);
  assert.deepEqual(provider.requests, ['/.well-known/openid-configuration', '/keys']);
});

test('scopes come from the claim that the settings name, as a text or an array', async (t) => {
  const provider = await startProvider(t);
  const key = await newKey(provider, 'k1');
  const scopesOf = async (claim: unknown, scopeClaim = 'permissions') => {
    const token = await sign(provider, key, 'k1', { permissions: claim });
    return [...(await outsideOf(provider, { scopeClaim }).verify(token)).caller.scopes];
  };
  assert.deepEqual(await scopesOf('manage_test:p nonsense:p'), ['manage_test:p', 'view_test:p']);
  assert.deepEqual(await scopesOf(['view_test:p', 7, null, 'view_test:q', 'view_test:p view_test:r']), [
    ...['view_test:p', 'view_test:q'],
  ]);
  for (const claim of [undefined, null, 7, { 0: 'view_test:p' }, true]) assert.deepEqual(await scopesOf(claim), []);
  assert.deepEqual(await scopesOf('view_test:p', '__proto__'), []);
});

test('a token for someone else, of someone else, or past its time is 401', async (t) => {
  const provider = await startProvider(t);
  const key = await newKey(provider, 'k1');
  const outside = outsideOf(provider);
  const stranger = (await generateKeyPair('RS256')).privateKey;
  const wrong = [
    ...[{ aud: 'other' }, { aud: undefined }, { iss: 'http://other.test' }, { exp: undefined }],
    ...[{ exp: nowSeconds - 6 }, { exp: 'never' }, { nbf: nowSeconds + 60 }, { azp: undefined, sub: undefined }],
  ];
  for (const claims of wrong) {
    assert.equal((await refusal(outside.verify(await sign(provider, key, 'k1', claims)))).code, 'invalid_token');
  }
  assert.equal((await refusal(outside.verify(await sign(provider, stranger, 'k1')))).code, 'invalid_token');
  const hmac = await new SignJWT({ iss: provider.issuer, aud: 'grs', exp: nowSeconds + 60, sub: 'a' })
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .sign(new TextEncoder().encode(JSON.stringify(provider.keys[0]).slice(0, 64)));
  assert.equal((await refusal(outside.verify(hmac))).code, 'invalid_token');
  await outside.verify(await sign(provider, key, 'k1'));
});

test('a flood of unknown key ids fetches nothing more', async (t) => {
  const provider = await startProvider(t);
  const key = await newKey(provider, 'k1');
  const outside = outsideOf(provider);
  await outside.verify(await sign(provider, key, 'k1'));
  const before = provider.requests.length;
  const tokens = await Promise.all(Array.from({ length: 30 }, (_, index) => sign(provider, key, `unknown-${index}`)));
  for (const token of tokens) assert.equal((await refusal(outside.verify(token))).code, 'invalid_token');
  assert.equal(provider.requests.length, before);
  await outside.verify(await sign(provider, key, 'k1'));
});

test('an issuer that fails is 503, asked again only after a while, and then works', async (t) => {
  const provider = await startProvider(t);
  const key = await newKey(provider, 'k1');
  const clock = { ms: nowMs() };
  const outside = outsideOf(provider, { nowMs: () => clock.ms });
  const token = await sign(provider, key, 'k1', { exp: nowSeconds + 600 });
  provider.status = 500;
  const refused = await refusal(outside.verify(token));
  assert.equal(refused.code, 'OverCapacity');
  assert.equal(refused.headers['retry-after'], '30');
  const asked = provider.requests.length;
  provider.status = 200;
  for (let again = 0; again < 10; again += 1) assert.equal((await refusal(outside.verify(token))).status, 503);
  assert.equal(provider.requests.length, asked);
  clock.ms += 30_000;
  assert.equal((await outside.verify(token)).caller.clientId, 'oidc:portal');
});

test('an issuer that goes away: known keys stay good for an hour, whatever keys strangers name', async (t) => {
  const provider = await startProvider(t);
  const key = await newKey(provider, 'k1');
  const good = await sign(provider, key, 'k1', { exp: nowSeconds + 90_000 });
  const strange = await sign(provider, key, 'k2', { exp: nowSeconds + 90_000 });
  let laterMs = 0;
  t.mock.timers.enable({ apis: ['Date'], now: nowMs() });
  const outside = outsideOf(provider, { nowMs: () => nowMs() + laterMs });
  const wait = (ms: number) => {
    laterMs += ms;
    t.mock.timers.tick(ms);
  };
  await outside.verify(good);
  provider.status = 500;
  wait(31_000);
  assert.equal((await refusal(outside.verify(strange))).status, 503);
  await outside.verify(good);
  const asked = provider.requests.length;
  await outside.verify(good);
  assert.equal((await refusal(outside.verify(strange))).status, 503);
  assert.equal(provider.requests.length, asked, 'not asked again at once');
  wait(3_500_000);
  await outside.verify(good);
  assert.ok(provider.requests.length > asked);
  wait(200_000);
  assert.equal((await refusal(outside.verify(good))).status, 503);
  provider.status = 200;
  wait(31_000);
  await outside.verify(good);
  assert.equal((await refusal(outside.verify(strange))).status, 401);
});

test('a discovery document of another issuer is not followed', async (t) => {
  const provider = await startProvider(t);
  const key = await newKey(provider, 'k1');
  for (const discovery of [
    { issuer: 'http://other.test', jwks_uri: `${provider.issuer}/keys` },
    {},
    { issuer: provider.issuer },
  ]) {
    provider.discovery = discovery;
    assert.equal((await refusal(outsideOf(provider).verify(await sign(provider, key, 'k1')))).status, 503);
  }
  assert.ok(!provider.requests.includes('/keys'));
});

test('the token service accepts both issuers, and introspects only its own', async (t) => {
  const provider = await startProvider(t);
  const outside = outsideOf(provider);
  const from = await startTestTokens(t, { outside });
  from.clock.nowMs = nowMs();
  await from.tokens.start();
  const { client } = await from.newClient('p', 'view_test:p');
  const own = (await from.tokens.issue(client, client.scopes)).accessToken;
  const foreign = await sign(provider, await newKey(provider, 'k1'), 'k1');
  assert.equal((await from.tokens.verify(own)).clientId, client.id);
  assert.equal((await from.tokens.verify(foreign)).clientId, 'oidc:portal');
  assert.equal(from.tokens.cached(foreign, from.clock.nowMs)?.clientId, 'oidc:portal');
  assert.ok(await from.tokens.inspect(own));
  assert.equal(await from.tokens.inspect(foreign), undefined);
  const [, payload] = foreign.split('.');
  const [header, , signature] = own.split('.');
  assert.equal((await refusal(from.tokens.verify(`${header}.${payload}.${signature}`))).code, 'invalid_token');
});

/** A token that is signed by a key which the library for tokens would not use: RSA with fewer bits than allowed. */
function signWith(provider: Provider, key: KeyObject, kid: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: provider.issuer, aud: 'grs', sub: 'alice', jti: 'j', exp: nowSeconds + 60, iat: nowSeconds };
  const signed = `${part({ alg: 'RS256', kid })}.${part({ ...claims, scope: 'view_test:p' })}`;
  return `${signed}.${signBytes('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

test('keys of the issuer that cannot be used are 401 for their tokens, and tokens of the other keys stay good', async (t) => {
  const provider = await startProvider(t);
  const good = await sign(provider, await newKey(provider, 'good'), 'good');
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const jwk = weak.publicKey.export({ format: 'jwk' });
  const odd: readonly (JWK & { readonly kid: string })[] = [
    { ...jwk, kid: 'weak', use: 'sig', alg: 'RS256' },
    { ...jwk, kid: 'for encryption', use: 'enc' },
    { ...jwk, kid: 'other operations', key_ops: ['encrypt'] },
    { kty: 'RSA', kid: 'without numbers' },
    { kty: 'RSA', n: '!!', e: 'AQAB', kid: 'garbage', alg: 'RS256' },
    { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'not on the curve' },
    { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
    { kty: 'unknown', kid: 'unknown' },
  ];
  provider.keys.push(...odd);
  const outside = outsideOf(provider);
  for (const { kid } of odd) {
    const error = await refusal(outside.verify(signWith(provider, weak.privateKey, kid)));
    assert.deepEqual([error.status, error.code], [401, 'invalid_token'], kid);
    if (kid === 'weak') assert.match(error.message, /key that cannot be used: .*2048/);
    assert.equal((await outside.verify(good)).caller.jti, 'oidc:j', `after ${kid}`);
  }
});

test('POST /oauth/token/revoke of an outside token: refused from then on for the administrator, 400 for other clients', async (t) => {
  const provider = await startProvider(t);
  const api = await startTestApi({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'grs' });
  t.after(() => api.close());
  const exp = Math.floor(Date.now() / 1000) + 600;
  const token = await sign(provider, await newKey(provider, 'k1'), 'k1', { exp, iat: exp - 600 });
  const status = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (await api.call({ path: '/p/resource/x', headers, scope: 'none' })).status;
  };
  assert.equal(await status(), 404);
  const client = await newClient(api, 'p', ['view_test']);
  const refused = await postForm(api, '/oauth/token/revoke', `token=${token}`, client);
  assert.deepEqual([refused.status, refused.json.error], [400, 'unsupported_token_type']);
  assert.match(refused.json.error_description, /only the administrator/);
  assert.equal(await status(), 404);
  const admin = { id: 'test-admin', secret: 'a secret for tests only' };
  assert.equal((await postForm(api, '/oauth/token/revoke', `token=${token}`, admin)).status, 200);
  assert.equal(await status(), 401);
});
