import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { logDiscoveryTexts } from '../../../src/record/postgres/changes/projects-with-log.ts';
import { parseAddress } from '../../../src/record/postgres/open/address.ts';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { allTables } from '../../../src/record/postgres/open/migrate.ts';
import { projectListTexts } from '../../../src/record/postgres/read/projects.ts';
import { creation, document } from '../records.ts';
import { exercise, query } from './exercise.ts';
import { type Recorded, recordStatements } from './recorded-statements.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
let statements: readonly Recorded[];
before(async () => {
  postgres = await startTestPostgres();
  const store = await openTestStore(postgres, { declaredPaths: ['price'] });
  const recorder = recordStatements();
  await exercise(store);
  recorder.stop();
  statements = recorder.statements;
  await store.close();
});
after(() => postgres.close());

test('no statement of a request uses what does not work on tables spread over servers', () => {
  assert.ok(statements.length > 100, `${statements.length} statements recorded`);
  const refused =
    /\b(?:MERGE|LISTEN|NOTIFY|pg_advisory\w*|SERIALIZABLE|SKIP LOCKED|now\(\)|random\(\)|gen_random_uuid|nextval|TRUNCATE)\b/i;
  const selecting = /INSERT\b[^;]*\bSELECT\b[^;]*\bRETURNING\b/i;
  const writable = /\bWITH\b[^;]*\b(?:INSERT INTO|UPDATE [a-z]|DELETE FROM)\b/i;
  for (const { text } of statements) for (const form of [refused, selecting, writable]) assert.doesNotMatch(text, form);
});

test('every statement of a request that reads or writes a table names the project', () => {
  const asking = statements.filter(
    ({ text }) =>
      ![...logDiscoveryTexts, ...projectListTexts].includes(text) &&
      /\b(?:FROM|INTO|UPDATE)\s+(?:resource|event|event_head|mark|api_client|idempotent_answer|signing_key|revocation)\b/.test(
        text,
      ),
  );
  assert.ok(asking.length > 50);
  for (const { text } of asking) assert.match(text, /project_key(?: = \$\d|, )/, text);
});

test('texts of clients are bound, never part of a statement', () => {
  for (const { text } of statements) assert.doesNotMatch(text, /word3|wrod3|first|second|third/);
});

test('a condition with U+0000, which nothing stored has, finds nothing, and a read of such an id finds nothing', async () => {
  const store = await openTestStore(postgres, { declaredPaths: ['price'] });
  assert.equal((await store.resources.list(query('first', 'name.en = "a\\u0000"'))).total, 0);
  for (const where of ['price > "a\\u0000"', 'id = "\\u0000"']) {
    assert.equal((await store.resources.list(query('first', where))).total, 0, where);
  }
  await assert.rejects(store.clients.listClients('first', 10, '\0'), { code: 'InvalidInput' });
  assert.equal(await store.resources.get('first', '\0'), undefined);
  assert.equal(await store.resources.getByKey('first', '\0'), undefined);
  assert.equal((await store.resources.list(query('first', 'price = 3'))).total, 1);
  await store.close();
});

test('an answer is kept under a scope longer than any index takes', async () => {
  const store = await openTestStore(postgres, { declaredPaths: ['price'] });
  const path = `/first/resource/${randomBytes(6000).toString('base64url')}`;
  const answer = {
    scope: `c\nPOST\n${path}\nk`,
    requestHash: 'x',
    status: 200,
    headers: {},
    body: '{}',
    expiresAtMs: 4e12,
  };
  assert.equal(await store.resources.commit(creation('first', document('long', 1), answer)), 'committed');
  assert.deepEqual(await store.resources.getIdempotentResponse(answer.scope, 0), answer);
  await store.close();
});

test('DATABASE_URL: several hosts are several servers, with the credentials and options of all', () => {
  const servers = parseAddress('postgres://u:p@a:5432,b/db?target_session_attrs=read-write&sslmode=require');
  assert.deepEqual(servers, [
    { name: 'a:5432', connectionString: 'postgres://u:p@a:5432/db?sslmode=verify-full' },
    { name: 'b', connectionString: 'postgres://u:p@b/db?sslmode=verify-full' },
  ]);
  assert.throws(
    () => parseAddress('postgres://u:secret@a/db?target_session_attrs=any'),
    /target_session_attrs=any is not known/,
  );
  assert.throws(() => parseAddress('postgres:x'), /use postgres:\/\//);
});

test('a server that cannot be reached: the message names it, and not the password', async () => {
  const connect = createConnect({ url: 'postgres://user:canary@127.0.0.1:1/db', statementTimeoutMs: 1000 });
  await assert.rejects(connect(), (error: Error) => {
    assert.doesNotMatch(`${error.message} ${error.stack}`, /canary/);
    return true;
  });
});

test('columns that a later version adds while this one serves disturb none of its statements', async (t) => {
  const own = await startTestPostgres();
  t.after(own.close);
  const store = await openTestStore(own, { declaredPaths: ['price'], connections: 4 });
  t.after(() => store.close());
  await exercise(store);
  const tables = allTables();
  assert.ok(tables.length >= 8);
  for (const table of tables) await own.run(`ALTER TABLE ${table} ADD COLUMN later bigint NOT NULL DEFAULT -1`);
  await exercise(store);
});
