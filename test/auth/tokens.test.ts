import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { createTokenService } from '../../src/auth/tokens.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { startTestTokens, type TestTokens, testIssuer } from './start-test-tokens.ts';

async function refusal(verify: Promise<unknown>): Promise<string> {
  const error = await verify.then(
    () => assert.fail('the token was accepted'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.code, 'invalid_token');
  return error.message;
}

async function issue(from: TestTokens, ...scopes: readonly string[]) {
  const { client } = await from.newClient('p', ...scopes);
  return { client, token: (await from.tokens.issue(client, scopes)).accessToken };
}

function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('an issued token has the form of RFC 9068', async (t) => {
  const from = await startTestTokens(t);
  const { client, token } = await issue(from, 'manage_test:p');
  const iat = Math.floor(from.clock.nowMs / 1000);
  const [header] = token.split('.');
  assert.deepEqual(JSON.parse(Buffer.from(header!, 'base64url').toString()), {
    ...{ alg: 'ES256', typ: 'at+jwt', kid: from.tokens.jwks().keys[0]!.kid },
  });
  const { jti, ...claims } = payloadOf(token);
  assert.equal(typeof jti, 'string');
  assert.deepEqual(claims, {
    ...{ iss: testIssuer, aud: testIssuer, sub: client.id, client_id: client.id, scope: 'manage_test:p' },
    ...{ iat, exp: iat + 3600 },
  });
});

test('verification returns the client and its scopes with what they imply', async (t) => {
  const from = await startTestTokens(t);
  const { client, token } = await issue(from, 'manage_project:p', 'view_test:q');
  const caller = await from.tokens.verify(token);
  assert.equal(caller.clientId, client.id);
  assert.equal(caller.jti, payloadOf(token).jti);
  assert.deepEqual([...caller.scopes].sort(), [
    ...[
      'manage_products:p',
      'manage_project:p',
      'manage_subscriptions:p',
      'manage_test:p',
      'view_test:p',
      'view_test:q',
    ],
  ]);
});

test('a token ends with its lifetime and five seconds', async (t) => {
  const from = await startTestTokens(t);
  const { token } = await issue(from, 'view_test:p');
  from.clock.nowMs += 3_604_000;
  await from.tokens.verify(token);
  from.clock.nowMs += 1000;
  assert.equal(await refusal(from.tokens.verify(token)), 'The access token has expired.');
});

/** Signs whatever the test wants with the service's own key. */
async function forge(from: TestTokens, claims: object, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
  const [key] = await from.clients.listSigningKeys();
  const privateKey = await importJWK(JSON.parse(key!.privateJwk), 'ES256');
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key!.kid, ...header })
    .sign(privateKey, { crit: { 'urn:x': true } });
}

function goodClaims(from: TestTokens): Record<string, unknown> {
  const iat = Math.floor(from.clock.nowMs / 1000);
  const party = { iss: testIssuer, aud: testIssuer, sub: 'p.1', client_id: 'p.1' };
  return { ...party, scope: 'view_test:p', jti: 'j', iat, exp: iat + 600 };
}

test('a clock that is set back by two days: tokens issued before stay good for their lifetime, new ones too', async (t) => {
  let monotonicMs = 0;
  const from = await startTestTokens(t, { monotonicMs: () => monotonicMs });
  const pass = (ms: number) => {
    monotonicMs += ms;
    from.clock.nowMs += ms;
  };
  const { client, token } = await issue(from, 'view_test:p');
  assert.ok(await from.tokens.verify(token));
  from.clock.nowMs -= 2 * 86_400_000;
  assert.equal((await from.tokens.verify(token)).clientId, client.id);
  const later = (await from.tokens.issue(client, ['view_test:p'])).accessToken;
  pass(3_590_000);
  for (const good of [token, later]) assert.equal((await from.tokens.verify(good)).clientId, client.id);
  pass(20_000);
  for (const old of [token, later]) await refusal(from.tokens.verify(old));
});

test('a clock that is set back: a process that starts after it accepts tokens from up to an hour ahead', async (t) => {
  const from = await startTestTokens(t);
  const { token } = await issue(from, 'view_test:p');
  const revoked = await issue(from, 'view_test:p');
  await from.tokens.revoke((await from.tokens.inspect(revoked.token))!);
  for (const [stepMs, isGood] of [
    [60_000, true],
    [3_599_000, true],
    [3_700_000, false],
  ] as const) {
    const nowMs = () => from.clock.nowMs - stepMs;
    const started = createTokenService({ ...from.deps, nowMs });
    await started.start();
    t.after(() => started.close());
    if (isGood) assert.ok(await started.verify(token));
    else await refusal(started.verify(token));
    await refusal(started.verify(revoked.token));
  }
});

test('a revocation outlives its token by as much as a clock may be set back', async (t) => {
  const from = await startTestTokens(t);
  const { token } = await issue(from, 'view_test:p');
  await from.tokens.revoke((await from.tokens.inspect(token))!);
  from.clock.nowMs += 3_600_000 + 3_599_000;
  await from.deps.clients.deleteExpired(from.clock.nowMs);
  from.clock.nowMs -= 3_599_000 + 3_000_000;
  const started = createTokenService(from.deps);
  await started.start();
  t.after(() => started.close());
  await refusal(started.verify(token));
});

test('claims: only a complete, timely token of this issuer is good', async (t) => {
  const from = await startTestTokens(t);
  const good = goodClaims(from);
  const now = good.iat as number;
  assert.equal((await from.tokens.verify(await forge(from, good))).clientId, 'p.1');
  const wrong: Record<string, object> = {
    ...Object.fromEntries(Object.keys(good).map((name) => [`no ${name}`, { [name]: undefined }])),
    ...Object.fromEntries(['sub', 'client_id', 'scope', 'jti'].map((name) => [`${name} no text`, { [name]: 1 }])),
    ...{
      'exp as text': { exp: String(now + 600) },
      'exp past': { exp: now - 6 },
      'exp and iat as arrays': { iat: [now] },
    },
    ...{
      'iat ahead': { iat: now + 3700, exp: now + 7300 },
      'nbf ahead': { nbf: now + 60 },
      'iat before any lifetime': { iat: now - 172_900 },
    },
    ...{ 'other issuer': { iss: `${testIssuer}/` }, issuers: { iss: [testIssuer] }, 'other audience': { aud: 'x' } },
  };
  for (const [name, claims] of Object.entries(wrong)) {
    await t.test(name, async () => void (await refusal(from.tokens.verify(await forge(from, { ...good, ...claims })))));
  }
});

test('header: no type but at+jwt, no foreign parameters, no unknown key', async (t) => {
  const from = await startTestTokens(t);
  const good = goodClaims(from);
  const jwk = from.tokens.jwks().keys[0] as JWK;
  const wrong: Record<string, object> = {
    ...{
      'typ JWT': { typ: 'JWT' },
      'no typ': { typ: undefined },
      'no kid': { kid: undefined },
      'kid number': { kid: 1 },
    },
    ...{
      'kid path': { kid: '../../etc/passwd' },
      'kid prototype': { kid: '__proto__' },
      'kid long': { kid: 'k'.repeat(9000) },
    },
    ...{
      jwk: { jwk },
      jku: { jku: 'http://127.0.0.1:9/' },
      x5u: { x5u: 'http://127.0.0.1:9/' },
      x5c: { x5c: ['AA=='] },
    },
    ...{ zip: { zip: 'DEF' }, crit: { crit: ['urn:x'], 'urn:x': 1 }, cty: { cty: 'JWT' } },
  };
  for (const [name, header] of Object.entries(wrong)) {
    await t.test(name, async () => void (await refusal(from.tokens.verify(await forge(from, good, header)))));
  }
});

test('signature: no other key can sign', async (t) => {
  const from = await startTestTokens(t);
  const good = goodClaims(from);
  const jwk = from.tokens.jwks().keys[0]!;
  const kid = jwk.kid!;
  const payload = base64url(good);
  const hmac = (secret: string) => {
    const signed = `${base64url({ alg: 'HS256', typ: 'at+jwt', kid })}.${payload}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };
  const stranger = async (alg: string, header: object = {}) => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    return new SignJWT(good).setProtectedHeader({ alg, typ: 'at+jwt', kid, ...header }).sign(privateKey);
  };
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const signed = await forge(from, good);
  const [header, , signature] = signed.split('.');
  const forged: Record<string, string> = {
    'alg none': `${base64url({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.`,
    'alg none with a signature': `${base64url({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.${signature}`,
    'HS256 with the public key': hmac(JSON.stringify(jwk)),
    'HS256 with the key id': hmac(kid),
    'another ES256 key': await stranger('ES256'),
    'another ES256 key, embedded': await stranger('ES256', { jwk: await exportJWK(publicKey) }),
    RS256: await stranger('RS256'),
    EdDSA: await stranger('EdDSA'),
    'other claims under a good signature': `${header}.${base64url({ ...good, scope: 'manage_project:q' })}.${signature}`,
    'signature of zeros': `${header}.${payload}.${'A'.repeat(86)}`,
    'no signature': `${header}.${payload}.`,
    'two parts': `${header}.${payload}`,
    'four parts': `${signed}.${signature}`,
  };
  for (const [name, token] of Object.entries(forged)) {
    await t.test(name, async () => void (await refusal(from.tokens.verify(token))));
  }
});

test('text: garbage is refused before anything is decoded', async (t) => {
  const { tokens } = await startTestTokens(t);
  for (const text of [
    '',
    '.',
    '..',
    'x',
    'a.b.c',
    '__proto__',
    'e30.e30.e30',
    ' ',
    '\u0000',
    'ü.ü.ü',
    'a'.repeat(20_000),
  ]) {
    await refusal(tokens.verify(text));
    assert.equal(await tokens.inspect(text), undefined);
  }
});

test('text: a token has one canonical text', async (t) => {
  const from = await startTestTokens(t);
  const { token } = await issue(from, 'view_test:p');
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  // The last of 86 letters carries 2 bits of the signature and 4 unused ones.
  const sibling = alphabet[alphabet.indexOf(signature.at(-1)!) ^ 1];
  for (const other of [
    ...[`${token}=`, `${token}==`, `${header}=.${payload}.${signature}`, `${header}.${payload}==.${signature}`],
    ...[`${token} `, ` ${token}`, `${token}\n`, `${header}.${payload}.${signature.slice(0, -1)}${sibling}`],
  ]) {
    await refusal(from.tokens.verify(other));
  }
  await from.tokens.verify(token);
});

test('text: a token with any one bit changed is refused', async (t) => {
  const from = await startTestTokens(t);
  const { token } = await issue(from, 'view_test:p');
  await from.tokens.verify(token);
  const bits = fc.record({ at: fc.nat(token.length - 1), bit: fc.nat(6) });
  await fc.assert(
    fc.asyncProperty(bits, async ({ at, bit }) => {
      const changed = String.fromCharCode(token.charCodeAt(at) ^ (1 << bit));
      await refusal(from.tokens.verify(token.slice(0, at) + changed + token.slice(at + 1)));
    }),
    { numRuns: 300 },
  );
});

test('text: a token cut short anywhere is refused', async (t) => {
  const from = await startTestTokens(t);
  const { token } = await issue(from, 'view_test:p');
  for (let length = 0; length < token.length; length += 1) await refusal(from.tokens.verify(token.slice(0, length)));
});

test('a revoked token is refused at once, also out of the cache; others of the client stay', async (t) => {
  const from = await startTestTokens(t);
  const { client, token } = await issue(from, 'view_test:p');
  const { accessToken: other } = await from.tokens.issue(client, client.scopes);
  await from.tokens.verify(token);
  assert.ok(from.tokens.cached(token, from.clock.nowMs));
  await from.tokens.revoke((await from.tokens.inspect(token))!);
  assert.equal(from.tokens.cached(token, from.clock.nowMs), undefined);
  assert.equal(await refusal(from.tokens.verify(token)), 'The access token has been revoked.');
  await refusal(from.tokens.verify(`${token}==`));
  assert.equal(await from.tokens.inspect(token), undefined);
  await from.tokens.verify(other);
});

test('a revocation holds although the store fails to keep it', async (t) => {
  const from = await startTestTokens(t);
  const { token } = await issue(from, 'view_test:p');
  const clients = { ...from.clients, revoke: () => Promise.reject(new Error('disk full')) };
  const tokens = createTokenService({ ...from.deps, clients });
  await tokens.start();
  t.after(tokens.close);
  await assert.rejects(tokens.revoke((await tokens.inspect(token))!), /disk full/);
  await refusal(tokens.verify(token));
});

test('the tokens of a deleted client are refused; a client that does not exist is not deleted', async (t) => {
  const from = await startTestTokens(t);
  const { client, token } = await issue(from, 'view_test:p');
  const bystander = await issue(from, 'view_test:p');
  await from.tokens.verify(token);
  assert.equal(await from.tokens.deleteClient(client.id), true);
  assert.equal(from.tokens.cached(token, from.clock.nowMs), undefined);
  await refusal(from.tokens.verify(token));
  assert.equal(await from.tokens.deleteClient(client.id), false);
  await from.tokens.verify(bystander.token);
  // One that was being made while the client was deleted.
  await refusal(from.tokens.verify((await from.tokens.issue(client, client.scopes)).accessToken));
});

/** Lets time pass, and with it the background reloads of every service, until they have done what they should. */
async function reloaded(t: TestContext, until: () => boolean): Promise<void> {
  while (!until()) {
    // Again at each turn: a reload that still runs has not set the timer for the next one.
    t.mock.timers.tick(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('another process refuses a revoked token and accepts a new key after its next reload', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const from = await startTestTokens(t);
  const { token } = await issue(from, 'view_test:p');
  const other = createTokenService({ ...from.deps, clients: from.elsewhere });
  await other.start();
  t.after(other.close);
  await other.verify(token);
  await from.tokens.revoke((await from.tokens.inspect(token))!);
  assert.ok(other.cached(token, from.clock.nowMs));
  await reloaded(t, () => other.cached(token, from.clock.nowMs) === undefined);
  assert.equal(await refusal(other.verify(token)), 'The access token has been revoked.');

  from.clock.nowMs += 400 * 86_400_000;
  await from.tokens.start();
  const { accessToken } = await from.tokens.issue((await issue(from, 'view_test:p')).client, ['view_test:p']);
  const keys = other.jwks().keys.length;
  await reloaded(t, () => other.jwks().keys.length !== keys);
  await other.verify(accessToken);
});

test('a failing background reload is reported, and the next one is made all the same', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const failures: unknown[] = [];
  const from = await startTestTokens(t);
  let fail = false;
  const listRevocations = (nowMs: number) =>
    fail ? Promise.reject(new Error('gone')) : from.clients.listRevocations(nowMs);
  const tokens = createTokenService({
    ...from.deps,
    clients: { ...from.clients, listRevocations },
    log: { ...noLog, write: (_level, _event, fields) => failures.push(fields?.error) },
  });
  await tokens.start();
  t.after(tokens.close);
  fail = true;
  await reloaded(t, () => failures.length === 1);
  await reloaded(t, () => failures.length === 2);
  assert.equal(failures.length, 2);
});

test('a token of yesterday survives a restart with another lifetime and rotation', async (t) => {
  const from = await startTestTokens(t, { tokenLifetimeSeconds: 172_800 });
  const { token } = await issue(from, 'view_test:p');
  from.clock.nowMs += 86_400_000;
  const tokens = createTokenService({ ...from.deps, tokenLifetimeSeconds: 600, keyRotationDays: 1 });
  await tokens.start();
  t.after(tokens.close);
  await tokens.verify(token);
});

test('the stored tables hold no token and no client secret', async (t) => {
  const from = await startTestTokens(t);
  const { client, secret } = await from.newClient('p', 'view_test:p');
  const { accessToken } = await from.tokens.issue(client, client.scopes);
  await from.tokens.revoke((await from.tokens.inspect(accessToken))!);
  const rows = from.dump();
  assert.ok(rows.includes(client.id));
  assert.ok(!rows.includes(secret) && !rows.includes(secret.slice(4, 40)));
  assert.ok(!rows.includes(accessToken.split('.')[2]!));
});
