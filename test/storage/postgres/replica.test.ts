import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestApi, type TestApi, type TestRequest, type TestResponse } from '../../start-test-api.ts';
import { type PostgresServer, startPostgres, startStandby } from './postgres-server.ts';
import { ask, caughtUp } from './standby.ts';

/** Reads that may be behind (decision 56), on a standby that streams and was stopped before the last write. */
let primary: PostgresServer;
let standby: PostgresServer;
let api: TestApi;
before(async () => {
  primary = await startPostgres();
  api = await startTestApi({ DATABASE_URL: primary.url });
  await api.close();
  standby = await startStandby(primary);
  api = await startTestApi({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url });
  const made = { id: 'a', key: 'k', colour: 'old', name: { en: 'old' } };
  assert.equal((await api.call({ method: 'POST', path: '/p/resource', body: made })).status, 201);
  await caughtUp(primary, standby);
  await ask(standby, 'SELECT pg_wal_replay_pause()');
  while ((await ask<{ s: string }>(standby, 'SELECT pg_get_wal_replay_pause_state() AS s'))[0]!.s !== 'paused') {
    await pause(20);
  }
  const changed = { id: 'a', colour: 'new', name: { en: 'new' } };
  assert.equal((await api.call({ method: 'POST', path: '/p/resource', body: changed })).status, 201);
  assert.equal((await api.call({ method: 'POST', path: '/p/resource', body: { id: 'later' } })).status, 201);
});
after(async () => {
  await api.close();
  await standby.close();
  await primary.close();
});

const path = '/p/resource';
const isNew = encodeURIComponent('colour = "new"');
const form = { 'content-type': 'application/x-www-form-urlencoded' };

interface Read {
  readonly name: string;
  readonly request: TestRequest;
  /** A text of the answer of the primary and one of the standby; statuses where there is no body. */
  readonly now: string | number;
  readonly before: string | number;
}

/** Every endpoint that a replica may answer. */
const reads: readonly Read[] = [
  { name: 'E2', request: { path: `${path}/a` }, now: '"colour":"new"', before: '"colour":"old"' },
  { name: 'E3', request: { path: `${path}/key=k` }, now: '"colour":"new"', before: '"colour":"old"' },
  { name: 'E1', request: { path: `${path}?where=${isNew}` }, now: '"total":1', before: '"total":0' },
  { name: 'E5', request: { method: 'HEAD', path: `${path}?where=${isNew}` }, now: 200, before: 404 },
  {
    name: 'E12',
    request: { path: `${path}/sorted-query-parameters?where=${isNew}` },
    ...{ now: '"total":1', before: '"total":0' },
  },
  {
    name: 'E4',
    request: { path: `${path}/searchApiPattern?text.en=new` },
    ...{ now: '"total":1', before: '"total":0' },
  },
  {
    name: 'E4 by a form',
    request: { method: 'POST', path: `${path}/searchApiPattern`, headers: form, body: 'text.en=new' },
    ...{ now: '"total":1', before: '"total":0' },
  },
];

const withParameter = (request: TestRequest, value = 'eventual'): TestRequest => {
  if (typeof request.body === 'string') return { ...request, body: `${request.body}&consistency=${value}` };
  return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}consistency=${value}` };
};
const withPrefer = (request: TestRequest, prefer = 'eventual'): TestRequest => ({
  ...request,
  headers: { ...request.headers, prefer },
});

/** What the standby answers. The primary answers for one that was too slow, and for a second after that. */
async function callStandby(request: TestRequest): Promise<TestResponse> {
  for (;;) {
    const answer = await api.call(request);
    if (answer.headers['preference-applied'] !== undefined) return answer;
    await pause(50);
  }
}

async function assertAnswer(request: TestRequest, expected: string | number, applied: string | undefined) {
  const { status, text, headers } = await (applied === undefined ? api.call(request) : callStandby(request));
  if (typeof expected === 'number') assert.equal(status, expected);
  else assert.ok(status === 200 && text.includes(expected), `${status} ${text}`);
  assert.equal(headers['preference-applied'], applied);
}

for (const { name, request, now, before } of reads) {
  test(`${name} without a preference or with others: the primary answers, what is true now`, async () => {
    await assertAnswer(request, now, undefined);
    await assertAnswer(withPrefer(request, 'respond-async, wait=10;eventual'), now, undefined);
  });

  test(`${name} with Prefer: eventual or consistency=eventual: the standby answers, and the answer says so`, async () => {
    await assertAnswer(withPrefer(request, 'respond-async, Eventual'), before, 'eventual');
    await assertAnswer(withParameter(request), before, 'eventual');
  });

  test(`${name} with consistency=strong: 400 that names the parameter`, async () => {
    const { status, text } = await api.call(withParameter(request, 'strong'));
    assert.equal(status, 400);
    if (request.method !== 'HEAD') assert.match(text, /consistency/);
  });
}

test('E2 with a preference, of a resource that the standby lacks: the primary answers; nowhere: 404', async () => {
  await assertAnswer(withPrefer({ path: `${path}/later` }), '"id":"later"', undefined);
  assert.equal((await api.call(withPrefer({ path: `${path}/never` }))).status, 404);
});

test('E2 with a preference and If-None-Match: compared with the current version', async () => {
  const conditional = (tag: string) =>
    api.call({ path: `${path}/a`, headers: { prefer: 'eventual', 'if-none-match': tag } });
  const tag = String((await api.call({ path: `${path}/a` })).headers.etag);
  assert.equal((await conditional(tag)).status, 304);
  const { status, json } = await conditional('"1"');
  assert.deepEqual([status, json.version], [200, 2]);
});

test('a list with a mistake and a preference: 400, as without', async () => {
  const where = encodeURIComponent('colour = ');
  assert.equal((await api.call({ path: `${path}?where=${where}&consistency=eventual` })).status, 400);
});

test('writes with a preference, by version and If-Match: decided on what is true now', async () => {
  const headers = { prefer: 'eventual' };
  const actions = [{ action: 'changeSomeProperty', someProperty: 'x' }];
  const updated = await api.call({ method: 'POST', path: `${path}/a`, headers, body: { version: 2, actions } });
  assert.deepEqual([updated.status, updated.json.version], [200, 3]);
  const body = { id: 'a', size: 1 };
  const patched = await api.call({
    method: 'PATCH',
    path,
    headers: { ...headers, 'if-match': updated.headers.etag! },
    body,
  });
  assert.deepEqual([patched.status, patched.json.version], [201, 4]);
  const stale = await api.call({ method: 'PUT', path, headers: { ...headers, 'if-match': '"1"' }, body });
  assert.equal(stale.status, 412);
  const deleted = await api.call({ method: 'DELETE', path: `${path}/later?version=1`, headers });
  assert.equal(deleted.status, 200);
});

test('the standby gone: the primary answers reads with a preference; back again: the standby does', async () => {
  await standby.stopAtOnce();
  for (const { request, now } of reads) await assertAnswer(withPrefer(request), now, undefined);
  await api.app.store.warm();
  assert.equal((await api.call({ path: '/health/ready', scope: 'none' })).status, 200);
  await standby.start();
  await caughtUp(primary, standby);
  const request = withPrefer({ path: `${path}/a` });
  await assertAnswer(request, '"version":4', 'eventual');
});

test('the embedded store: the preference is accepted and changes nothing; another value is 400', async () => {
  const embedded = await startTestApi();
  try {
    await embedded.call({ method: 'POST', path, body: { id: 'a' } });
    const { status, headers } = await embedded.call(withPrefer({ path: `${path}/a?consistency=eventual` }));
    assert.deepEqual([status, headers['preference-applied']], [200, undefined]);
    assert.equal((await embedded.call({ path: `${path}?consistency=eventual` })).json.total, 1);
    assert.equal((await embedded.call({ path: `${path}/a?consistency=strong` })).status, 400);
    assert.equal((await embedded.call({ path: `${path}/a?consistency=` })).status, 400);
  } finally {
    await embedded.close();
  }
});

test('a start with a replica of another form, or beside the embedded store: refused, and told what is right', async () => {
  const url = { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: 'localhost:5432' };
  await assert.rejects(startTestApi(url), /DATABASE_REPLICA_URL: use postgres:/);
  const mode = { ...url, DATABASE_REPLICA_URL: `${standby.url}?target_session_attrs=standby` };
  await assert.rejects(startTestApi(mode), /DATABASE_REPLICA_URL: target_session_attrs=standby is not known/);
  await assert.rejects(
    startTestApi({ DATABASE_REPLICA_URL: standby.url }),
    /DATABASE_REPLICA_URL may only be set if DATABASE_URL names a store on PostgreSQL/,
  );
});
