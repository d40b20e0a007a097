import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ensureAdminClient, withAdminClient } from '../../src/auth/admin.ts';
import { authenticateClient } from '../../src/auth/credentials.ts';
import { secretMatches } from '../../src/auth/secrets.ts';
import { isCreatedSecret } from './created-secret.ts';
import { openTestClients } from './open-test-clients.ts';

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'grs-admin-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data');
}

const settingsOf = (dataDir: string, adminClientId?: string, adminClientSecret?: string) => ({
  ...{ dataDir, adminClientId, adminClientSecret, nowMs: () => 0 },
});

test('first start without settings: an administrator is made, its secret shown once, its file private', async (t) => {
  const dataDir = folderOf(t);
  const made = await ensureAdminClient(settingsOf(dataDir));
  assert.ok(isCreatedSecret(made.secret!));
  assert.ok(secretMatches(made.secret!, made.client.secretHash));
  assert.equal(made.client.projectKey, undefined);
  assert.equal(statSync(made.file!).mode & 0o777, 0o600);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  assert.deepEqual(JSON.parse(readFileSync(made.file!, 'utf8')), {
    clientId: made.clientId,
    clientSecret: made.secret,
  });
  assert.deepEqual(readdirSync(dataDir), ['admin-client.json']);

  const again = await ensureAdminClient(settingsOf(dataDir));
  assert.equal(again.secret, undefined);
  assert.deepEqual(again.client, made.client);
});

test('processes that start together agree on one administrator', async (t) => {
  const dataDir = folderOf(t);
  const all = await Promise.all(Array.from({ length: 8 }, () => ensureAdminClient(settingsOf(dataDir))));
  assert.equal(all.filter(({ secret }) => secret !== undefined).length, 1);
  assert.equal(new Set(all.map(({ client }) => client.secretHash)).size, 1);
  assert.deepEqual(readdirSync(dataDir), ['admin-client.json']);
});

test('with settings nothing is written, and a changed secret counts from the next start on', async (t) => {
  const dataDir = folderOf(t);
  const { clients, close, dump } = openTestClients();
  t.after(close);
  const start = async (secret: string) =>
    withAdminClient(clients, (await ensureAdminClient(settingsOf(dataDir, 'root', secret))).client);
  const [before, after] = [await start('first secret, long'), await start('second secret, long')];
  const old = [{ clientId: 'root', secret: 'first secret, long' }];
  assert.equal((await authenticateClient(before, old)).id, 'root');
  await assert.rejects(authenticateClient(after, old), { code: 'invalid_client' });
  assert.equal((await authenticateClient(after, [{ clientId: 'root', secret: 'second secret, long' }])).id, 'root');
  assert.equal(dump(), '[]\n[]\n[]');
  assert.throws(() => readdirSync(dataDir), { code: 'ENOENT' });
});

test('a file that others can read, or that is damaged, stops the start with what to do', async (t) => {
  const dataDir = folderOf(t);
  const { file } = await ensureAdminClient(settingsOf(dataDir));
  chmodSync(file!, 0o640);
  await assert.rejects(ensureAdminClient(settingsOf(dataDir)), /chmod 600/);
  chmodSync(file!, 0o600);
  for (const text of [
    '',
    'null',
    '{}',
    '{"clientId":"a","clientSecret":"short"}',
    '{"clientId":1,"clientSecret":2}',
    '[',
  ]) {
    writeFileSync(file!, text);
    await assert.rejects(ensureAdminClient(settingsOf(dataDir)), /delete it/i, text);
  }
});

test('the administrator stands beside the clients of the store and cannot be replaced or deleted', async (t) => {
  const store = openTestClients();
  t.after(store.close);
  const { client: admin } = await ensureAdminClient(settingsOf('unused', 'root', 'a secret of its own'));
  const clients = withAdminClient(store.clients, admin);
  const other = { ...admin, id: 'p.1', projectKey: 'p' };
  const revocation = { kind: 'client', subject: 'root', revokedAtMs: 0, expiresAtMs: 1 } as const;
  assert.equal(await clients.getClient('root'), admin);
  assert.equal(await clients.createClient({ ...other, id: 'root' }), false);
  assert.equal(await clients.deleteClient('root', revocation), false);
  assert.equal(await clients.createClient(other), true);
  assert.deepEqual(await clients.getClient('p.1'), other);
  assert.deepEqual(await clients.listClients('p', 10), [other]);
});
