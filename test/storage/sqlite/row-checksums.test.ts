import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { IdempotentResponse } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
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
    /^api_client project-1\.a: its checksum does not match; it gets no token/m,
  );

  await withStore(file, async ({ clients }, fatal) => {
    const revocation = { kind: 'client', subject: 'project-1.a', revokedAtMs: 1, expiresAtMs: 9e12 } as const;
    assert.equal(await clients.deleteClient('project-1.a', revocation), true);
    assert.deepEqual(await clients.listRevocations(0), { revocations: [revocation], damaged: 0 });
    assert.deepEqual(fatal, []);
  });
  assert.deepEqual(await check(file), []);
});

test('the columns of a checksum are all columns of the table', async (t) => {
  const file = fileOf(t);
  await withStore(file, async () => {});
  const tables = await import('../../../src/record/sqlite/checked-tables.ts');
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
