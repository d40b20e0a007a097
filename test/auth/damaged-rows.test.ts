import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { authenticateClient } from '../../src/auth/credentials.ts';
import { createTokenService, type TokenService } from '../../src/auth/tokens.ts';
import { openClients } from './open-test-clients.ts';
import { startTestTokens, type TestTokens } from './start-test-tokens.ts';

/** What a damaged row of the store brings about for clients and tokens (decision 88). */

const isRefused = (tokens: TokenService, token: string) =>
  assert.rejects(tokens.verify(token), { code: 'invalid_token' }, 'the token was accepted');

async function issue(from: TestTokens, tokens = from.tokens) {
  const { client, secret } = await from.newClient('p', 'view_test:p');
  return { client, secret, token: (await tokens.issue(client, ['view_test:p'])).accessToken };
}

/** A token service on the same tables, as the next process has it. */
async function restart(t: TestContext, from: TestTokens): Promise<TokenService> {
  const tokens = createTokenService({ ...from.deps, clients: from.elsewhere });
  await tokens.start();
  t.after(tokens.close);
  return tokens;
}

/** Lets time pass until the background reloads have done what they should. */
async function reloaded(t: TestContext, until: () => boolean): Promise<void> {
  while (!until()) {
    t.mock.timers.tick(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const kids = (tokens: TokenService) => tokens.jwks().keys.map(({ kid }) => kid);

const damages: readonly (readonly [name: string, sql: string])[] = [
  ['scopes of another project', "UPDATE api_client SET scopes = replace(scopes, ':p', ':q')"],
  ['another project', "UPDATE api_client SET project_key = 'q'"],
  ['no project, as the administrator has', 'UPDATE api_client SET project_key = NULL'],
  ['another secret', "UPDATE api_client SET secret_hash = replace(secret_hash, 'sha256:', 'sha256:A')"],
  ['another name', "UPDATE api_client SET name = 'Tesu'"],
  ['another time', 'UPDATE api_client SET created_at = created_at + 1'],
  ['another checksum', 'UPDATE api_client SET checksum = checksum + 1'],
  ['a checksum of 0', 'UPDATE api_client SET checksum = 0'],
];
for (const [name, sql] of damages) {
  test(`a client whose row has ${name}: DataCorruption instead of a token, reported once; it can be deleted`, async (t) => {
    const from = await startTestTokens(t);
    const { client, secret } = await issue(from);
    const other = await from.newClient('z', 'view_test:z');
    from.db.exec(`${sql} WHERE id = '${client.id}'`);
    for (const given of [secret, 'wrong']) {
      const credentials = [{ clientId: client.id, secret: given }];
      await assert.rejects(authenticateClient(from.clients, credentials), {
        ...{ code: 'DataCorruption', status: 500 },
        message: `The API client '${client.id}' is damaged in the store and gets no token. An operator deletes it with “npx grs client delete”; then create a new one.`,
      });
    }
    assert.deepEqual(
      from.damaged.map(({ table, key }) => [table, key]),
      [['api_client', client.id]],
    );
    const known = await authenticateClient(from.clients, [{ clientId: other.client.id, secret: other.secret }]);
    assert.equal(known.id, other.client.id);
    assert.equal(await from.tokens.deleteClient(client.id), true);
    assert.equal(await from.clients.getClient(client.id), undefined);
  });
}

test('a list of clients with a damaged one among them is refused, and names it', async (t) => {
  const from = await startTestTokens(t);
  const { client } = await issue(from);
  await issue(from);
  from.db.exec(`UPDATE api_client SET name = 'Tesu' WHERE id = '${client.id}'`);
  await assert.rejects(from.clients.listClients('p', 10), { code: 'DataCorruption', message: new RegExp(client.id) });
  await from.clients.deleteClient(client.id, { kind: 'client', subject: client.id, revokedAtMs: 1, expiresAtMs: 2 });
  assert.equal((await from.clients.listClients('p', 10)).length, 1);
});

const revocationDamages: readonly (readonly [name: string, sql: string])[] = [
  ['another subject', "UPDATE revocation SET subject = replace(subject, 'id-', 'ie-')"],
  ['another kind', "UPDATE revocation SET kind = 'jth'"],
  ['an earlier expiry', 'UPDATE revocation SET expires_at = 1'],
  ['a later expiry', 'UPDATE revocation SET expires_at = expires_at * 2'],
  ['another time', 'UPDATE revocation SET revoked_at = 1'],
  ['another checksum', 'UPDATE revocation SET checksum = checksum + 1'],
];
for (const [name, sql] of revocationDamages) {
  test(`a revocation whose row has ${name}: after a restart its token is refused, with all others issued so far`, async (t) => {
    const from = await startTestTokens(t);
    const [revoked, other] = [await issue(from), await issue(from)];
    await from.tokens.revoke((await from.tokens.inspect(revoked.token))!);
    const before = kids(from.tokens);
    from.db.exec(sql);
    await from.clients.deleteExpired(from.clock.nowMs);

    const next = await restart(t, from);
    await isRefused(next, revoked.token);
    await isRefused(next, other.token);
    assert.equal((await next.verify((await issue(from, next)).token)).clientId.slice(0, 2), 'p.');
    const after = kids(next);
    assert.notDeepEqual(after, before);
    // The store is whole again: a further start finds nothing to end tokens for.
    assert.deepEqual(kids(await restart(t, from)), after);
    assert.deepEqual((await from.clients.listRevocations(0)).damaged, 0);
  });
}

test('a revocation among others with one bit flipped in the file, in any byte: after a restart its token is refused', async (t) => {
  const from = await startTestTokens(t);
  const issued = await Promise.all(Array.from({ length: 12 }, () => issue(from)));
  for (const { token } of issued) await from.tokens.revoke((await from.tokens.inspect(token))!);
  const { subject } = (await from.clients.listRevocations(0)).revocations[5]!;
  const revoked = issued.find(({ token }) => Buffer.from(token.split('.')[1]!, 'base64url').includes(subject))!;
  from.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const original = readFileSync(from.file);
  const at = original.indexOf(`jti${subject}`);
  // The texts, two times of six bytes each, and a checksum of at least four.
  const length = 3 + subject.length + 16;
  for (let byte = 0; byte < length; byte += 1) {
    const file = `${from.file}-${byte}`;
    const flipped = Buffer.from(original);
    flipped[at + byte]! ^= 1 << (byte & 7);
    writeFileSync(file, flipped);
    const opened = openClients(file);
    try {
      const tokens = createTokenService({ ...from.deps, clients: opened.clients });
      await tokens.start();
      await isRefused(tokens, revoked.token);
      await tokens.verify((await tokens.issue(revoked.client, ['view_test:p'])).accessToken);
      tokens.close();
      assert.equal((await opened.clients.listRevocations(0)).damaged, 0, `byte ${byte}`);
    } finally {
      opened.db.close();
    }
  }
});

test('a revocation that is damaged under running processes: each of them ends every token, also out of its cache', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const from = await startTestTokens(t);
  const other = await restart(t, from);
  const [revoked, { token }] = [await issue(from), await issue(from)];
  for (const each of [from.tokens, other]) await each.verify(token);
  await from.tokens.revoke((await from.tokens.inspect(revoked.token))!);
  from.db.exec("UPDATE revocation SET subject = 'other'");
  const before = kids(from.tokens);
  await reloaded(t, () => [from.tokens, other].every((each) => !kids(each).some((kid) => before.includes(kid))));
  for (const each of [from.tokens, other]) {
    assert.equal(each.cached(token, from.clock.nowMs), undefined);
    await isRefused(each, token);
    await isRefused(each, revoked.token);
  }
  assert.deepEqual(kids(from.tokens), kids(other));
  const fresh = await issue(from);
  await other.verify(fresh.token);
  assert.deepEqual(from.damaged.map(({ table, key }) => [table, key]).slice(0, 1), [['revocation', 'jti/other']]);
});

test('a damaged revocation and a store that cannot write: the start fails, and no token is accepted', async (t) => {
  const from = await startTestTokens(t);
  const { token } = await issue(from);
  await from.tokens.revoke((await from.tokens.inspect(token))!);
  from.db.exec("UPDATE revocation SET subject = 'other'");
  const replaceSigningKeys = () => Promise.reject(new Error('the disk is full'));
  const tokens = createTokenService({ ...from.deps, clients: { ...from.elsewhere, replaceSigningKeys } });
  await assert.rejects(tokens.start(), /the disk is full/);
});

const keyDamages = ["private_jwk = private_jwk || ' '", "kid = kid || 'A'", 'active_from = active_from - 1'];
for (const damage of [...keyDamages, 'expires_at = expires_at + 1', 'created_at = 1', 'checksum = checksum + 1']) {
  test(`a signing key with ${damage} is neither used nor published: its tokens end, another signs, the row goes`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const from = await startTestTokens(t);
    const { token } = await issue(from);
    await from.tokens.verify(token);
    const [before] = kids(from.tokens);
    from.db.exec(`UPDATE signing_key SET ${damage}`);
    await reloaded(t, () => kids(from.tokens).length === 1 && kids(from.tokens)[0] !== before);
    assert.equal(from.tokens.cached(token, from.clock.nowMs), undefined);
    await isRefused(from.tokens, token);
    await from.tokens.verify((await issue(from)).token);
    assert.equal(from.damaged[0]?.table, 'signing_key');
    assert.equal(from.db.prepare('SELECT count(*) AS n FROM signing_key').get()?.n, 1);
  });
}

test('a damaged signing key among others: what the others signed stays good', async (t) => {
  const from = await startTestTokens(t, { keyRotationDays: 1 });
  const { token } = await issue(from);
  // The next key is made a day before it signs.
  const [first, next] = kids(await restart(t, from));
  assert.ok(first && next);
  from.db.prepare("UPDATE signing_key SET private_jwk = private_jwk || ' ' WHERE kid = ?").run(next);
  const tokens = await restart(t, from);
  await tokens.verify(token);
  assert.ok(!kids(tokens).includes(next));
});
