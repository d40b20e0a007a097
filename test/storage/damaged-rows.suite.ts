import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiClient, Revocation, SigningKey } from '../../src/domain/ports/client-store.ts';
import type { IdempotentResponse } from '../../src/domain/ports/resource-store.ts';
import type { DamagedRow, Store } from '../../src/domain/ports/store.ts';
import { creation, document } from './records.ts';

/** An engine under test with a way to change rows behind the back of its store. */
export interface DamageableEngine {
  readonly name: string;
  /** Opens a store, the first time an empty one. */
  open(onDamaged: (row: DamagedRow) => void): Promise<Store>;
  /** Runs a statement beside the store. Its parameters are `?`. */
  run(sql: string, ...params: readonly (string | number)[]): Promise<readonly Record<string, unknown>[]>;
  /** The names of the columns of a table. */
  columnsOf(table: string): Promise<readonly string[]>;
  /** Runs `grs check`. */
  check(): Promise<readonly string[]>;
}

const client: ApiClient = {
  ...{ id: 'p.client-1', projectKey: 'p', name: 'Zoë', scopes: ['view_test:p'] },
  ...{ secretHash: 'sha256:qL0Xbn', createdAtMs: 1_800_000_000_000 },
};
const key: SigningKey = {
  ...{ kid: 'kid-1', privateJwk: '{"kty":"EC","d":"x"}' },
  ...{ createdAtMs: 1_800_000_000_000, activeFromMs: 1_800_000_000_001, expiresAtMs: 1_900_000_000_000 },
};
const otherKey = { ...key, kid: 'kid-2' };
const revocation: Revocation = {
  ...{ kind: 'jti', subject: 'id-000001', revokedAtMs: 1_800_000_000_000, expiresAtMs: 1_800_000_600_000 },
};
const response: IdempotentResponse = {
  ...{ scope: 'p.client-1\nPOST\n/p/resource\nkey-1', requestHash: 'ab12', status: 201 },
  ...{ headers: { etag: '"1"' }, body: '{"id":"i","price":100}', expiresAtMs: 1_900_000_000_000 },
};

const tables = ['api_client', 'signing_key', 'revocation', 'idempotent_answer'] as const;
/** Columns that a row is found by: a statement that changes one moves the row, which damage does not. */
const searched: Readonly<Record<string, readonly string[]>> = {
  api_client: ['id', 'project_key'],
  signing_key: ['project_key'],
  revocation: ['project_key'],
  idempotent_answer: ['scope', 'scope_hash', 'project_key'],
};

/** The values with one bit flipped that a statement can store; of texts that are not short, of every fifth byte. */
function* flipped(value: unknown): Generator<string | number> {
  if (typeof value === 'number') {
    for (let bit = 0; bit < (value < 1000 ? 31 : 53); bit += 1) {
      const other = value + (Math.floor(value / 2 ** bit) % 2 === 0 ? 2 ** bit : -(2 ** bit));
      if (Number.isSafeInteger(other)) yield other;
    }
    return;
  }
  const bytes = Buffer.from(String(value));
  for (let at = 0; at < bytes.length; at += bytes.length > 12 ? 5 : 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const other = Buffer.from(bytes);
      other[at]! ^= 1 << bit;
      const text = other.toString();
      if (!text.includes('\0') && Buffer.from(text).equals(other)) yield text;
    }
  }
}

/** What rows that are damaged may bring about, and what not (decisions 87 and 88). Every engine runs it. */
export function damagedRowsSuite(engine: DamageableEngine): void {
  describe(`Damaged rows on ${engine.name}`, () => {
    let store: Store;
    const damaged: DamagedRow[] = [];
    const open = async () => {
      store = await engine.open((row) => damaged.push(row));
    };
    const clear = async () => {
      for (const table of tables) await engine.run(`DELETE FROM ${table}`);
    };
    const fill = async () => {
      await clear();
      assert.equal(await store.clients.createClient(client), true);
      assert.equal(await store.clients.addSigningKey(key), true);
      await store.clients.revoke(revocation);
      const name = `r-${Math.random()}`;
      assert.equal(await store.resources.commit(creation('p', document(name, 1), response)), 'committed');
    };
    before(open);
    after(() => store.close());

    const reads: Readonly<Record<(typeof tables)[number], (what: string) => Promise<void>>> = {
      api_client: (what) =>
        assert.rejects(async () => store.clients.getClient(client.id), { code: 'DataCorruption', status: 500 }, what),
      signing_key: async (what) => assert.deepEqual(await store.clients.listSigningKeys(), [], what),
      revocation: async (what) =>
        assert.deepEqual(await store.clients.listRevocations(0), { revocations: [], damaged: 1 }, what),
      idempotent_answer: (what) =>
        assert.rejects(
          async () => store.resources.getIdempotentResponse(response.scope, 0),
          { code: 'DataCorruption', status: 500 },
          what,
        ),
    };

    it('rows that are intact: all of them are read, and a check finds nothing', async () => {
      await fill();
      assert.deepEqual(await store.clients.getClient(client.id), client);
      assert.deepEqual(await store.clients.listSigningKeys(), [key]);
      assert.deepEqual(await store.clients.listRevocations(0), { revocations: [revocation], damaged: 0 });
      assert.deepEqual(await store.resources.getIdempotentResponse(response.scope, 0), response);
      assert.deepEqual(await engine.check(), []);
      assert.deepEqual(damaged, []);
      assert.equal((await store.status()).damagedRows, 0);
    });

    for (const table of tables) {
      it(`${table}: one bit flipped in any column is noticed by reads and by grs check, which names the row`, async () => {
        await fill();
        damaged.length = 0;
        for (const column of await engine.columnsOf(table)) {
          const [row] = await engine.run(`SELECT ${column} AS value FROM ${table}`);
          const isRead = !searched[table]!.includes(column);
          let flips = 0;
          for (const value of flipped(row!.value)) {
            await engine.run(`UPDATE ${table} SET ${column} = ?`, value);
            const what = `${table}.${column} = ${value}`;
            if (isRead) await reads[table](what);
            if (flips === 0) {
              const findings = await engine.check();
              assert.equal(findings.length, 1, what);
              assert.match(findings[0]!, new RegExp(`^${table} .+: its checksum does not match; `), what);
            }
            flips += 1;
          }
          assert.ok(flips >= 4, `${table}.${column}`);
          await engine.run(`UPDATE ${table} SET ${column} = ?`, row!.value as string | number);
        }
        assert.ok(damaged.length > 0);
        assert.ok(damaged.every((row) => row.table === table));
        assert.ok((await store.status()).damagedRows >= damaged.length);
        assert.deepEqual(await engine.check(), []);
      });
    }

    it('a damaged client can be deleted, and is revoked then', async () => {
      await fill();
      await engine.run(`UPDATE api_client SET scopes = '["view_test:q"]'`);
      await assert.rejects(store.clients.listClients('p', 10), { code: 'DataCorruption', message: /p\.client-1/ });
      const deleted = { kind: 'client', subject: client.id, revokedAtMs: 1, expiresAtMs: 2e12 } as const;
      assert.equal(await store.clients.deleteClient(client.id, deleted), true);
      assert.equal(await store.clients.getClient(client.id), undefined);
      assert.equal((await store.clients.listRevocations(0)).revocations.length, 2);
    });

    it('a damaged signing key does not stand in the way of another, and goes when one is added or rows expire', async () => {
      for (const remove of [
        async () => assert.equal(await store.clients.addSigningKey(otherKey), true),
        () => store.clients.deleteExpired(0),
      ]) {
        await fill();
        await engine.run('UPDATE signing_key SET active_from = active_from * 2');
        await remove();
        assert.deepEqual(await engine.run("SELECT 1 FROM signing_key WHERE kid = 'kid-1'"), []);
      }
    });

    it('a damaged revocation: the signing keys are replaced and it goes, once; before that it is not deleted', async () => {
      await fill();
      assert.equal(await store.clients.replaceSigningKeys(otherKey), false);
      assert.deepEqual(await store.clients.listSigningKeys(), [key]);
      await engine.run('UPDATE revocation SET expires_at = 1');
      await store.clients.deleteExpired(100);
      assert.equal((await store.clients.listRevocations(0)).damaged, 1);
      assert.equal(await store.clients.replaceSigningKeys(otherKey), true);
      assert.deepEqual(await store.clients.listSigningKeys(), [otherKey]);
      assert.deepEqual(await store.clients.listRevocations(0), { revocations: [], damaged: 0 });
      assert.equal(await store.clients.replaceSigningKeys(key), false);
    });

    it('of two revocations of one subject the one that expires later stays, and is intact', async () => {
      await fill();
      for (const [more, later] of [
        [-5, 0],
        [5, 1],
      ] as const) {
        const second = { ...revocation, revokedAtMs: 7, expiresAtMs: revocation.expiresAtMs + more };
        await store.clients.revoke(second);
        const expected = { revocations: [later ? second : revocation], damaged: 0 };
        assert.deepEqual(await store.clients.listRevocations(0), expected);
      }
    });

    it('a damaged response, whatever it says of its expiry: its request is not new, and it is not deleted', async () => {
      for (const expiresAtMs of [1, 4e12]) {
        await fill();
        const other = { ...response, scope: `${response.scope}-2`, requestHash: 'cd34' };
        await store.resources.commit(creation('p', document(`o-${expiresAtMs}`, 1), other));
        await engine.run("UPDATE idempotent_answer SET expires_at = ? WHERE request_hash = 'ab12'", expiresAtMs);
        const again = creation('p', document(`again-${expiresAtMs}`, 1), response);
        assert.equal(await store.resources.commit(again), 'responseExists');
        assert.equal(await store.resources.get('p', `again-${expiresAtMs}`), undefined);
        assert.equal(await store.resources.deleteExpiredResponses(1_950_000_000_000), 1);
        assert.equal(await store.resources.deleteExpiredResponses(1_950_000_000_000), 0);
        assert.equal(await store.resources.commit(again), 'responseExists');
        await reads.idempotent_answer('after its time');
      }
    });

    it('a response that has expired is replaced by that of a new request', async () => {
      await fill();
      const expired = { ...response, scope: `${response.scope}-3`, expiresAtMs: 1 };
      assert.equal(await store.resources.commit(creation('p', document('e-1', 1), expired)), 'committed');
      const renewed = { ...expired, expiresAtMs: 4e12, body: 'new' };
      assert.equal(await store.resources.commit(creation('p', document('e-2', 1), renewed)), 'committed');
      assert.deepEqual(await store.resources.getIdempotentResponse(expired.scope, 0), renewed);
      assert.equal(await store.resources.commit(creation('p', document('e-3', 1), renewed)), 'responseExists');
    });
  });
}
