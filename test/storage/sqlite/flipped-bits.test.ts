import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { ApiClient, ClientStore, Revocation, SigningKey } from '../../../src/domain/ports/client-store.ts';
import type { IdempotentResponse } from '../../../src/domain/ports/resource-store.ts';
import type { DamagedRow } from '../../../src/domain/ports/store.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { type Deadline, registerFunctions } from '../../../src/index/query/functions.ts';
import { readPage } from '../../../src/index/query/rows.ts';
import { runSearch } from '../../../src/index/search/search.ts';
import { type CheckedTable, DamageLog } from '../../../src/record/row/checked-table.ts';
import * as tables from '../../../src/record/sqlite/checked-tables.ts';
import { createClientStore } from '../../../src/record/sqlite/client-store.ts';
import { createPointReads, type PointReads } from '../../../src/record/sqlite/read/point-reads.ts';
import { openReadConnection, resultCode, sqliteCode } from '../../../src/sqlite/connection.ts';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { testSeed } from '../../seed.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';
import { searchCacheOn } from './parts-on.ts';

/**
 * A bit of each byte of a row in a real file, its header included, is flipped: what is read, and what a check says. The
 * place of the bit moves from byte to byte; with another seed each byte has another one.
 */

const client: ApiClient = {
  ...{ id: 'p.client-1', projectKey: 'p', name: 'Zoë', scopes: ['view_test:p'] },
  ...{ secretHash: 'sha256:qL0Xbn', createdAtMs: 1_800_000_000_000 },
};
const key: SigningKey = {
  ...{ kid: 'kid-1', privateJwk: '{"kty":"EC","d":"x"}' },
  ...{ createdAtMs: 1_800_000_000_000, activeFromMs: 1_800_000_000_001, expiresAtMs: 1_900_000_000_000 },
};
const revocation: Revocation = {
  ...{ kind: 'jti', subject: 'id-000001', revokedAtMs: 1_800_000_000_000, expiresAtMs: 1_800_000_600_000 },
};
const response: IdempotentResponse = {
  ...{ scope: 'p.client-1\nPOST\n/p/resource\nkey-1', requestHash: 'ab12', status: 201 },
  ...{ headers: { etag: '"1"' }, body: '{"id":"i","price":100}', expiresAtMs: 1_900_000_000_000 },
};

/** A column has the price from the index, the time, which can be written in several ways, from the document. */
const fields = { price: 7, soldAt: '2026-01-02T03:04:05.600Z' };

const folder = temporaryFolder();
before(async () => {
  const store = await openTestStore(folder.file);
  await store.clients.createClient(client);
  await store.clients.addSigningKey(key);
  await store.clients.revoke(revocation);
  await store.resources.commit(creation('p', document('i', 300, fields), response));
  await store.close();
});
after(folder.remove);

/** A value in a record of SQLite (sqlite.org/fileformat.html §2.1): its serial type, and its bytes. */
function encoded(value: unknown): { readonly type: number; readonly bytes: Buffer } {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return { type: 13 + 2 * bytes.length, bytes };
  }
  if (value === null) return { type: 0, bytes: Buffer.alloc(0) };
  const number = BigInt(value as number);
  if (number === 0n || number === 1n) return { type: 8 + Number(number), bytes: Buffer.alloc(0) };
  const sizes = [1, 2, 3, 4, 6, 8];
  const type = sizes.findIndex((size) => BigInt.asIntN(8 * size, number) === number) + 1;
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(number);
  return { type, bytes: bytes.subarray(8 - sizes[type - 1]!) };
}

/** Its rows have a checksum of their own kind. */
const resources = { name: 'resource' } as const;

type AnyTable = CheckedTable | typeof resources;

/** Where the record of the only row of a table is in the file: its serial types, then its values. */
function recordOf(table: AnyTable) {
  const db = new DatabaseSync(folder.file, { readOnly: true });
  const row = db.prepare(`SELECT * FROM ${table.name}`).get()!;
  // Without columns that are generated.
  const columns = db.prepare(`PRAGMA table_info(${table.name})`).all();
  db.close();
  // The number of a row is not in its record.
  const values = columns.map(({ name }) => encoded(name === 'row' ? null : row[name as string]));
  const varint = (type: number) => (type < 128 ? [type] : [0x80 | (type >> 7), type & 0x7f]);
  const types = Buffer.from(values.flatMap(({ type }) => varint(type)));
  const record = Buffer.concat([types, ...values.map(({ bytes }) => bytes)]);
  const file = readFileSync(folder.file);
  const at = file.indexOf(record);
  assert.ok(at > 0 && file.lastIndexOf(record) === at, table.name);
  return { at, length: record.length, valuesFrom: types.length };
}

interface Reads {
  readonly clients: ClientStore;
  readonly points: PointReads;
  readonly damaged: readonly DamagedRow[];
}

/** What is read from the file; an error of SQLite is one as well. */
async function read<T>(work: (reads: Reads) => T | Promise<T>): Promise<T | Error> {
  const db = new DatabaseSync(folder.file, { readOnly: true });
  const damaged: DamagedRow[] = [];
  const damage = new DamageLog((row) => damaged.push(row));
  let points: PointReads | undefined;
  try {
    points = createPointReads(db, damage);
    const clients = createClientStore({ read: db, write: () => Promise.reject(new Error('read only')), damage });
    return await work({ clients, points, damaged });
  } catch (error) {
    return error as Error;
  } finally {
    points?.leaveSnapshot();
    db.close();
  }
}

const noDeadline = { check: () => {} } as unknown as Deadline;

/** Damage that the service has found, or SQLite. */
function assertRefused(error: Error, bit: string): void {
  const isFound = 'code' in error && (error.code === 'DataCorruption' || error.code === 'OverCapacity');
  assert.ok(isFound || resultCode(error) === sqliteCode.corrupt, `${bit}: ${error.stack}`);
}

/** Calls back for a bit of each byte of the row, while it is flipped. Returns how many. */
async function flipEach(table: AnyTable, check: (bit: string, isValue: boolean) => Promise<void>): Promise<number> {
  const { at, length, valuesFrom } = recordOf(table);
  const bytes = readFileSync(folder.file).subarray(at, at + length);
  const fd = openSync(folder.file, 'r+');
  try {
    for (let byte = 0; byte < length; byte += 1) {
      const bit = 8 * byte + ((byte + testSeed) % 8);
      const original = bytes[bit >> 3]!;
      writeSync(fd, Buffer.from([original ^ (1 << (bit & 7))]), 0, 1, at + (bit >> 3));
      await check(`${table.name}: bit ${bit & 7} of byte ${bit >> 3} of ${length}`, bit >> 3 >= valuesFrom);
      writeSync(fd, Buffer.from([original]), 0, 1, at + (bit >> 3));
    }
  } finally {
    closeSync(fd);
  }
  return length;
}

const all = [tables.clients, tables.signingKeys, tables.revocations, tables.responses] as const;

describe('A flipped bit in a row of the database file', () => {
  it('the rows as they were written: everything is read, nothing is damaged', async () => {
    const outcome = await read(async ({ clients, points, damaged }) => {
      assert.deepEqual(await clients.getClient(client.id), client);
      assert.deepEqual(await clients.listSigningKeys(), [key]);
      assert.deepEqual(await clients.listRevocations(0), { revocations: [revocation], damaged: 0 });
      assert.deepEqual(points.response(response.scope, 0), response);
      assert.deepEqual(damaged, []);
    });
    assert.equal(outcome, undefined);
    assert.deepEqual(await checkStore(folder.file, false, () => {}), []);
  });

  it('api_client: the client gets nothing', async () => {
    const flipped = await flipEach(tables.clients, async (bit) => {
      const found = await read(({ clients }) => clients.getClient(client.id));
      assert.ok(found === undefined || found instanceof Error, bit);
    });
    assert.ok(flipped > 50, `${flipped}`);
  });

  it('signing_key: the key is not listed', async () => {
    await flipEach(tables.signingKeys, async (bit) => {
      const found = await read(({ clients }) => clients.listSigningKeys());
      assert.ok(found instanceof Error || found.length === 0, bit);
    });
  });

  it('revocation: it is read as damaged, never as another one or as none', async () => {
    await flipEach(tables.revocations, async (bit) => {
      const found = await read(({ clients }) => clients.listRevocations(0));
      if (!(found instanceof Error)) assert.deepEqual(found, { revocations: [], damaged: 1 }, bit);
    });
  });

  it('idempotent_answer: it is repeated as it was or not at all, and its request never counts as new', async () => {
    await flipEach(tables.responses, async (bit) => {
      const found = await read(({ points }) => points.response(response.scope, 0));
      if (!(found instanceof Error)) assert.deepEqual(found, response, bit);
    });
  });

  it('resource: it is read as it was or not at all, alone and in a page of either kind', async () => {
    const before = await read(({ points }) => points.byId('p', 'i'));
    assert.ok(before !== undefined && !(before instanceof Error));
    /** Repeated reads of a page: the checksum is computed for each. */
    const pagesOf = (db: DatabaseSync) => {
      const page = () => readPage(db, { projectKey: 'p', staged: false }, [1], noDeadline, 1_000_000).results[0];
      return [page, page, page];
    };
    let refused = 0;
    const known = new DatabaseSync(folder.file, { readOnly: true });
    for (const page of pagesOf(known)) assert.equal(page(), before.current);
    const flipped = await flipEach(resources, async (bit) => {
      const found = await read(({ points }) => points.byId('p', 'i'));
      if (!(found instanceof Error)) assert.deepEqual(found ?? before, before, bit);
      else assertRefused(found, bit);
      const cold = new DatabaseSync(folder.file, { readOnly: true });
      // A page that a connection has in memory is not read again: what others write has it look.
      known.exec('PRAGMA shrink_memory');
      for (const page of [...pagesOf(cold), ...pagesOf(known)]) {
        try {
          assert.equal(page(), before.current, bit);
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          assertRefused(error as Error, bit);
          refused += 1;
        }
      }
      cold.close();
    });
    known.close();
    assert.ok(refused > 4 * flipped, `${refused} of ${flipped}`);
  });

  it('resource: the facets of a search count it as it was or the search is refused', async () => {
    const query = parseSearch(
      new Map<string, number | readonly string[]>([
        ['facet', ['price', 'soldAt']],
        ['limit', 0],
      ]),
      'p',
    );
    const deadline = { check() {}, checkNow() {} };
    /** Of the documents themselves, and of columns, which are built for each of the searches. */
    const facetsOf = (leastRows: number) => {
      const db = openReadConnection(folder.file, 100);
      registerFunctions(db, noDeadline);
      try {
        const cache = searchCacheOn(db, { leastRows: leastRows });
        return runSearch(db, query, cache, deadline, { maxPageBytes: 1e6, declaredPaths: [] }).facets;
      } finally {
        db.close();
      }
    };
    const before = facetsOf(0);
    assert.match(JSON.stringify(before), /7.+2026-01-02T03:04:05\.6/);
    let refused = 0;
    const flipped = await flipEach(resources, async (bit) => {
      for (const leastRows of [0, 1000]) {
        try {
          assert.deepEqual(facetsOf(leastRows), before, bit);
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          assertRefused(error as Error, bit);
          refused += 1;
        }
      }
    });
    assert.ok(refused > 1.9 * flipped, `${refused} of ${flipped}`);
  });

  for (const table of all) {
    it(`${table.name}: grs check finds it, and names table and key`, async () => {
      await flipEach(table, async (bit, isValue) => {
        const findings = await checkStore(folder.file, false, () => {});
        const isNamed = findings.some((finding) => finding.startsWith(`${table.name} `));
        // A length or a type that is wrong is damage to the structure of the file.
        const isOther = !isValue && findings.some((finding) => finding.startsWith('structure: '));
        assert.ok(isNamed || isOther, `${bit}: ${findings}`);
      });
    });
  }
});
