import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { IdempotentResponse } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { checkStore } from '../../../src/storage/sqlite/maintenance/maintain.ts';
import { listMigrations, migrate } from '../../../src/storage/sqlite/open/migrate.ts';
import { creation, document } from '../records.ts';
import { fileOf, openTestStore, withDatabase } from './open-test-store.ts';

const check = (file: string) => checkStore(file, false, () => {});
const expiresAtMs = 1_900_000_000_000;

function responseOf(name: string): IdempotentResponse {
  const scope = `client\nPOST\n/p/resource\n${name}`;
  return { scope, requestHash: 'ab12', status: 201, headers: { etag: '"1"' }, body: `{"id":"${name}"}`, expiresAtMs };
}

async function withStore<T>(file: string, work: (store: Store, fatal: readonly string[]) => Promise<T>): Promise<T> {
  const fatal: string[] = [];
  const store = await openTestStore(file, { onFatal: (message) => fatal.push(message) });
  try {
    return await work(store, fatal);
  } finally {
    await store.close();
  }
}

const expiryBytes = Buffer.alloc(8);
expiryBytes.writeBigInt64BE(BigInt(expiresAtMs));

for (const [what, bit] of [
  ['earlier', 0x01],
  ['later', 0x40],
] as const) {
  test(`a response whose row says in the file that it expires ${what}: it stays, the others go, and the service goes on`, async (t) => {
    const file = fileOf(t);
    const names = ['a', 'b', 'c'];
    await withStore(file, async ({ resources }) => {
      for (const name of names) await resources.commit(creation('p', document(name, 1), responseOf(name)));
    });
    const bytes = readFileSync(file);
    const at = bytes.indexOf(Buffer.concat([Buffer.from(responseOf('b').body), expiryBytes.subarray(2)]));
    assert.ok(at > 0);
    bytes[at + responseOf('b').body.length + 1]! ^= bit;
    writeFileSync(file, bytes);

    await withStore(file, async ({ resources }, fatal) => {
      assert.equal(await resources.deleteExpiredResponses(expiresAtMs), 0);
      assert.equal(await resources.deleteExpiredResponses(expiresAtMs + 1), 2);
      assert.equal(await resources.deleteExpiredResponses(expiresAtMs + 1), 0);
      const { scope } = responseOf('b');
      assert.throws(() => resources.getIdempotentResponse(scope, 0), { code: 'DataCorruption', status: 500 });
      assert.equal(await resources.commit(creation('p', document('d', 1), responseOf('b'))), 'responseExists');
      assert.equal(await resources.get('p', 'd'), undefined);
      assert.equal(await resources.commit(creation('p', document('d', 1), responseOf('d'))), 'committed');
      assert.deepEqual(fatal, []);
    });
  });
}

test('a client whose row differs from its entry in an index can be deleted beside the service', async (t) => {
  const file = fileOf(t);
  const client = { projectKey: 'project-1', name: 'n', scopes: [], secretHash: 'h', createdAtMs: 1 };
  await withStore(file, ({ clients }) => clients.createClient({ ...client, id: 'project-1.a' }));
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('project-1.aproject-1n') + 'project-1.a'.length]! ^= 1;
  writeFileSync(file, bytes);
  assert.match(
    (await check(file)).join('\n'),
    /^api_client project-1\.a: its checksum does not hold; it gets no token/m,
  );

  await withStore(file, async ({ clients }, fatal) => {
    const revocation = { kind: 'client', subject: 'project-1.a', revokedAtMs: 1, expiresAtMs: 9e12 } as const;
    assert.equal(await clients.deleteClient('project-1.a', revocation), true);
    assert.deepEqual(await clients.listRevocations(0), { revocations: [revocation], damaged: 0 });
    assert.deepEqual(fatal, []);
  });
  assert.deepEqual(await check(file), []);
});

/** Rows as the version of the service wrote them that knew no checksums. */
const olderRows = `
  INSERT INTO api_client (id, project_key, name, scopes, secret_hash, created_at)
    VALUES ('p.1', 'p', 'old', '["view_test:p"]', 'sha256:x', 1), ('root', NULL, 'none', '[]', 'sha256:y', 2);
  INSERT INTO signing_key (kid, private_jwk, created_at, active_from, expires_at) VALUES ('k', '{}', 1, 1, 9000000000000);
  INSERT INTO revocation (kind, subject, revoked_at, expires_at) VALUES ('jti', 'j', 1, 9000000000000)
    ON CONFLICT (kind, subject) DO UPDATE SET revoked_at = max(revoked_at, excluded.revoked_at);
  INSERT OR REPLACE INTO idempotent_answer (scope, request_hash, status, headers, body, expires_at)
    VALUES ('s', 'hash', 200, '{}', 'text', 9000000000000);`;

async function assertReadable({ clients, resources }: Store): Promise<void> {
  assert.deepEqual((await clients.getClient('p.1'))?.scopes, ['view_test:p']);
  assert.equal((await clients.getClient('root'))?.projectKey, undefined);
  assert.deepEqual(
    (await clients.listSigningKeys()).map(({ kid }) => kid),
    ['k'],
  );
  const revocation = { kind: 'jti', subject: 'j', revokedAtMs: 1, expiresAtMs: 9e12 };
  assert.deepEqual(await clients.listRevocations(0), { revocations: [revocation], damaged: 0 });
  assert.equal((await resources.getIdempotentResponse('s', 0))?.body, 'text');
}

const without = (file: string) =>
  withDatabase(file, (db) =>
    ['api_client', 'signing_key', 'revocation', 'idempotent_answer'].filter(
      (table) => db.prepare(`SELECT 1 FROM ${table} WHERE checksum = -1`).get() !== undefined,
    ),
  );

test('a store of a version without checksums: its rows are read, and the first start gives them checksums', async (t) => {
  const file = fileOf(t);
  withDatabase(file, (db) => {
    migrate(db, listMigrations().slice(0, 1));
    db.exec(olderRows);
  });
  await assert.rejects(
    () => check(file),
    /The database has schema 1, this version of the service checks schema \d+\. Run “npx grs migrate”/,
  );
  await withStore(file, assertReadable);
  // Responses go within a day.
  assert.deepEqual(without(file), ['idempotent_answer']);
  await withStore(file, assertReadable);
  assert.deepEqual(await check(file), []);
  withDatabase(file, (db) => db.exec(`UPDATE api_client SET scopes = '["view_test:q"]' WHERE id = 'p.1'`));
  assert.equal((await check(file)).length, 1);
  await withStore(file, async ({ clients }) => {
    assert.throws(() => clients.getClient('p.1'), { code: 'DataCorruption' });
  });
});

test('rows that a version without checksums writes to the new schema are read, and get checksums at the next start', async (t) => {
  const file = fileOf(t);
  await withStore(file, async (store) => {
    withDatabase(file, (db) => db.exec(olderRows));
    await assertReadable(store);
  });
  assert.deepEqual(without(file), ['api_client', 'signing_key', 'revocation', 'idempotent_answer']);
  await withStore(file, assertReadable);
  assert.deepEqual(without(file), ['idempotent_answer']);
});

test('a response without a checksum is repeated until it expires, and then deleted', async (t) => {
  const file = fileOf(t);
  await withStore(file, async ({ resources }) => {
    withDatabase(file, (db) => db.exec(olderRows));
    assert.equal(await resources.deleteExpiredResponses(9e12), 0);
    assert.equal(await resources.deleteExpiredResponses(9e12 + 1), 1);
  });
});

test('the columns of a checksum are all columns of the table', async (t) => {
  const file = fileOf(t);
  await withStore(file, async () => {});
  const tables = await import('../../../src/storage/sqlite/checked-tables.ts');
  withDatabase(file, (db) => {
    for (const table of [...tables.smallTables, tables.responses]) {
      const names = db
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table.name)
        .map(({ name }) => name as string);
      const others = table === tables.responses ? ['body', 'checksum'] : ['checksum'];
      assert.deepEqual([...table.columns, ...others].sort(), names.sort());
    }
  });
});

test('settings of the store that cannot be read: grs check says so, a rebuild and the next start mend them', async (t) => {
  const file = fileOf(t);
  await withStore(file, ({ resources }) => resources.commit(creation('p', document('a', 1, { n: 1 }))));
  withDatabase(file, (db) => db.exec("UPDATE store SET settings = replace(settings, '{', 'z')"));
  assert.deepEqual(await check(file), ['store settings: they cannot be read; the next start rebuilds the indexes']);
  await withStore(file, async () => {});
  assert.deepEqual(await check(file), []);
});
