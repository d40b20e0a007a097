import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiClient, Revocation, SigningKey } from '../../src/domain/ports/client-store.ts';
import { openTestClients } from './open-test-clients.ts';

function client(id: string, projectKey: string | undefined): ApiClient {
  return { id, projectKey, name: `Näme of ${id}`, scopes: ['view_test:p'], secretHash: 'sha256:x', createdAtMs: 1e12 };
}

function key(kid: string, activeFromMs: number, expiresAtMs = 9e12): SigningKey {
  return { kid, privateJwk: '{}', createdAtMs: 1e12, activeFromMs, expiresAtMs };
}

function revocation(subject: string, expiresAtMs: number, revokedAtMs = 100): Revocation {
  return { kind: 'jti', subject, revokedAtMs, expiresAtMs };
}

const byClient = { kind: 'client', subject: 'p.1', revokedAtMs: 1, expiresAtMs: 2e12 } as const;

test('a client is read back as it was created, and its id is taken once', async (t) => {
  const store = openTestClients();
  t.after(store.close);
  for (const made of [client('p.1', 'p'), client('root', undefined)]) {
    assert.equal(await store.clients.createClient(made), true);
    assert.equal(await store.clients.createClient({ ...made, name: 'other' }), false);
    assert.deepEqual(await store.elsewhere.getClient(made.id), made);
  }
  assert.equal(await store.clients.getClient('p.2'), undefined);
});

test('clients are listed by project, in the order of ids, page by page', async (t) => {
  const store = openTestClients();
  t.after(store.close);
  for (const id of ['p.3', 'p.1', 'q.1', 'p.2']) await store.clients.createClient(client(id, id[0]));
  await store.clients.createClient(client('root', undefined));
  const ids = async (...args: [string, number, string?]) =>
    (await store.clients.listClients(...args)).map(({ id }) => id);
  assert.deepEqual(await ids('p', 2), ['p.1', 'p.2']);
  assert.deepEqual(await ids('p', 2, 'p.2'), ['p.3']);
  assert.deepEqual(await ids('q', 10), ['q.1']);
  assert.deepEqual(await ids('none', 10), []);
});

test('deleting a client revokes it in the same commit; deleting none revokes nothing', async (t) => {
  const store = openTestClients();
  t.after(store.close);
  assert.equal(await store.clients.deleteClient('p.1', byClient), false);
  assert.deepEqual(await store.clients.listRevocations(0), { revocations: [], damaged: 0 });
  await store.clients.createClient(client('p.1', 'p'));
  assert.equal(await store.clients.deleteClient('p.1', byClient), true);
  assert.equal(await store.elsewhere.getClient('p.1'), undefined);
  assert.deepEqual((await store.elsewhere.listRevocations(0)).revocations, [byClient]);
  assert.equal(await store.clients.deleteClient('p.1', byClient), false);
});

test('a signing key is added unless one is active at or after its time', async (t) => {
  const store = openTestClients();
  t.after(store.close);
  assert.equal(await store.clients.addSigningKey(key('a', 1000)), true);
  assert.equal(await store.elsewhere.addSigningKey(key('b', 1000)), false);
  assert.equal(await store.elsewhere.addSigningKey(key('c', 999)), false);
  assert.equal(await store.elsewhere.addSigningKey(key('a', 2000)), false);
  assert.equal(await store.elsewhere.addSigningKey(key('d', 2000)), true);
  assert.deepEqual(
    (await store.clients.listSigningKeys()).map((found) => ({ ...found })),
    [key('a', 1000), key('d', 2000)],
  );
});

test('a second revocation never shortens the first', async (t) => {
  const store = openTestClients();
  t.after(store.close);
  await store.clients.revoke(revocation('x', 500));
  await store.clients.revoke(revocation('x', 300, 50));
  assert.deepEqual((await store.clients.listRevocations(0)).revocations, [revocation('x', 500)]);
});

test('revocations are listed until they expire, or only the later ones', async (t) => {
  const store = openTestClients();
  t.after(store.close);
  await store.clients.revoke(revocation('early', 400, 10));
  await store.clients.revoke(revocation('late', 600, 200));
  const subjects = async (...args: [number, number?]) =>
    (await store.elsewhere.listRevocations(...args)).revocations.map(({ subject }) => subject);
  assert.deepEqual(await subjects(0), ['early', 'late']);
  assert.deepEqual(await subjects(401), ['late']);
  assert.deepEqual(await subjects(0, 200), ['late']);
  assert.deepEqual(await subjects(0, 201), []);
});

test('expired keys and revocations are deleted, the others stay', async (t) => {
  const store = openTestClients();
  t.after(store.close);
  await store.clients.addSigningKey(key('old', 1, 100));
  await store.clients.addSigningKey(key('new', 2, 200));
  await store.clients.revoke(revocation('old', 100));
  await store.clients.revoke(revocation('new', 200));
  await store.clients.deleteExpired(150);
  assert.deepEqual(
    (await store.clients.listSigningKeys()).map(({ kid }) => kid),
    ['new'],
  );
  assert.deepEqual(
    (await store.clients.listRevocations(0)).revocations.map(({ subject }) => subject),
    ['new'],
  );
});
