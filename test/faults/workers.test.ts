import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../tools/prove/wait-until.ts';
import { findViolations, type Operation } from './race-history.ts';
import { createRandom } from './random.ts';
import { dataFolder, NoAnswer, runCommand, type ServiceProcess, startService } from './service-process.ts';
import { type Client, openClient, persist, sampleOf, withoutProc, workersOf } from './worker-processes.ts';

const workers = 3;
const settings = { WORKERS: String(workers) };
const random = createRandom();

interface Document {
  readonly id: string;
  readonly version: number;
  readonly someProperty: string;
}

/** What a test has opened. */
let folder = dataFolder();
let service: ServiceProcess | undefined;
let clients: Client[] = [];
afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  service?.kill('SIGKILL');
  await service?.ended;
  service = undefined;
  folder.remove();
  folder = dataFolder();
});

async function start(more: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  service = await startService(folder.path, { ...settings, ...more });
  return service;
}

function connect(count: number): readonly Client[] {
  const opened = Array.from({ length: count }, () => openClient(service!.port));
  clients.push(...opened);
  return opened;
}

const now = () => Number(process.hrtime.bigint());

/** Reads and updates in the version that it saw last; everything goes into the history. */
async function race(client: Client, name: number, token: string, rounds: number, history: Operation[]): Promise<void> {
  const path = '/race/resource/';
  for (let n = 0; n < rounds; n += 1) {
    const resource = `r${random.integer(0, 2)}`;
    const readStart = now();
    const seen = await client.request({ path: path + resource, token });
    const read = JSON.parse(seen.text) as Document;
    const { version, someProperty } = read;
    const times = { start: readStart, end: now() };
    history.push({ kind: 'read', resource, ...times, version, value: someProperty, outcome: 'acknowledged' });
    const value = `client ${name}, round ${n}`;
    const body = { version, actions: [{ action: 'changeSomeProperty', someProperty: value }] };
    const begun = now();
    const { status, text } = await client.request({ method: 'POST', path: path + resource, token, body });
    const end = now();
    assert.ok(status === 200 || status === 409, text);
    if (status === 409) continue;
    const next = version + 1;
    history.push({ kind: 'write', resource, start: begun, end, version: next, value, outcome: 'acknowledged' });
  }
}

/** Creates resources one after the other until the service stops responding; records the acknowledged ids. */
async function createUntilGone(
  client: Client,
  token: string,
  told: string[],
  onFault: (error: NoAnswer, sent: number) => void = () => {},
): Promise<void> {
  for (let sent = 0; ; ) {
    try {
      sent = performance.now();
      const body = { someProperty: 'x'.repeat(500) };
      const answer = await client.request({ method: 'POST', path: '/p/resource', token, body });
      assert.equal(answer.status, 201, answer.text);
      assert.equal(Buffer.byteLength(answer.text), Number(answer.headers['content-length']));
      told.push((JSON.parse(answer.text) as Document).id);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      onFault(error, sent);
      if (error.kind === 'refused') return;
    }
  }
}

/** So many acknowledged creations say something. */
const enough = 50;

async function assertAllThere(ids: readonly string[]): Promise<void> {
  assert.ok(ids.length >= enough, `${ids.length} acknowledged creations are too few to say anything`);
  const again = await start();
  const token = await again.token('view_test:p');
  for (const id of ids) assert.equal((await again.request({ path: `/p/resource/${id}`, token })).status, 200);
}

describe(`Several processes on one embedded store (WORKERS=${workers})`, () => {
  it('64 racing updaters on a connection each: the history is that of one copy, and every worker had its share', async (t) => {
    const { request, token: tokenFor } = await start();
    const token = await tokenFor('manage_test:race');
    const history: Operation[] = [];
    for (const id of ['r0', 'r1', 'r2']) {
      const times = { start: now(), end: 0 };
      const body = { id, someProperty: 'made' };
      assert.equal((await request({ method: 'POST', path: '/race/resource', token, body })).status, 201);
      const made = { kind: 'write', resource: id, version: 1, value: 'made', outcome: 'acknowledged' } as const;
      history.push({ ...made, ...times, end: now() });
    }
    await Promise.all(connect(64).map((client, name) => race(client, name, token, 20, history)));
    const writes = history.filter(({ kind }) => kind === 'write').length;
    t.diagnostic(`seed ${random.seed}: ${writes} writes, ${history.length - writes} reads`);
    assert.deepEqual(findViolations(history), []);
    assert.ok(writes > 20, `${writes} writes are too few to say anything`);

    let metrics = '';
    const answers = (worker: number) => sampleOf(metrics, `process_uptime_seconds{worker="${worker}"}`) !== undefined;
    // A worker that is too busy to reply in time is left out.
    while (![1, 2, 3].every(answers)) metrics = (await request({ path: '/metrics' })).text;
    const series = (worker: number) =>
      `http_request_duration_seconds_count{worker="${worker}",operation="getResourceById",status="2xx"}`;
    const reads = [1, 2, 3].map((worker) => sampleOf(metrics, series(worker)) ?? 0);
    assert.equal(
      reads.reduce((sum, count) => sum + count, 0),
      64 * 20,
    );
    // 21 connections on average; fewer than 5 happen once in a million runs.
    assert.ok(Math.min(...reads) >= 5 * 20, `requests by worker: ${reads}`);
    assert.ok((sampleOf(metrics, 'grs_commit_operations_sum{worker="primary"}') ?? 0) >= writes);

    // Each worker remembers a hundred of the many calls of this client; whoever is asked tells those of all.
    const service = await tokenFor('view_service');
    let calls: readonly { readonly operation: string }[] = [];
    while (calls.length <= 100) {
      const { text } = await request({ path: '/health/recent-calls?limit=1000', token: service });
      calls = JSON.parse(text).results;
    }
    assert.ok(calls.some(({ operation }) => operation === 'getResourceById'));
  });

  it('what one worker has acknowledged is read at once through all: by id, by key, in lists, and after a deletion', async () => {
    const { token: tokenFor } = await start();
    const token = await tokenFor('manage_test:p');
    const all = connect(12);
    const path = '/p/resource/one';
    const where = encodeURIComponent('someProperty = "now"');
    const reads = async (status: number, etag: string | string[] | undefined) => {
      const answers = await Promise.all(
        all.flatMap(({ request }) => [
          request({ path, token }),
          request({ path: '/p/resource/key=k', token }),
          request({ method: 'HEAD', path, token }),
        ]),
      );
      for (const answer of answers) assert.deepEqual([answer.status, answer.headers.etag], [status, etag]);
    };
    for (let round = 0; round < 12; round += 1) {
      const writer = all[round % all.length]!;
      const draft = { id: 'one', key: 'k', someProperty: `round ${round}` };
      const made = await writer.request({ method: 'POST', path: '/p/resource', token, body: draft });
      assert.equal(made.status, 201);
      await reads(200, made.headers.etag);
      for (let version = 1; version < 5; version += 1) {
        const other = all[(round + version) % all.length]!;
        const actions = [{ action: 'changeSomeProperty', someProperty: version === 4 ? 'now' : 'before' }];
        const answer = await other.request({ method: 'POST', path, token, body: { version, actions } });
        assert.equal(answer.status, 200, answer.text);
        await reads(200, answer.headers.etag);
      }
      for (const { request } of all) {
        const list = await request({ path: `/p/resource/sorted-query-parameters?where=${where}`, token });
        assert.equal((JSON.parse(list.text) as { total: number }).total, 1);
      }
      assert.equal((await all[(round + 7) % all.length]!.request({ method: 'DELETE', path, token })).status, 200);
      await reads(404, undefined);
    }
  });

  it('one key sent through all workers at the same time makes one resource, and an Idempotency-Key one change', async () => {
    const { token: tokenFor } = await start();
    const token = await tokenFor('manage_test:p');
    const all = connect(24);
    const upserts = await Promise.all(
      all.map(({ request }) => request({ method: 'POST', path: '/p/resource', token, body: { key: 'one' } })),
    );
    assert.deepEqual(new Set(upserts.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(upserts.map(({ text }) => (JSON.parse(text) as Document).id)).size, 1);
    const headers = { 'idempotency-key': 'same' };
    const repeats = await Promise.all(
      all.map((client) => client.request({ method: 'POST', path: '/p/resource', token, headers, body: { n: 1 } })),
    );
    // Two at a time in one worker: the second is refused because the first still runs.
    for (const { status, text } of repeats) assert.ok(status === 201 || status === 409, text);
    const made = repeats.filter(({ status }) => status === 201);
    assert.equal(new Set(made.map(({ text }) => text)).size, 1);
    const list = await all[0]!.request({ path: '/p/resource', token });
    assert.equal((JSON.parse(list.text) as { total: number }).total, 2);
  });

  it('SIGKILL of a worker: clients that repeat with their Idempotency-Key lose and double nothing, and a new worker comes', {
    skip: withoutProc,
  }, async (t) => {
    const running = await start();
    const token = await running.token('manage_test:p');
    const perClient = 25;
    let repeats = 0;
    const create = async (client: Client, name: number) => {
      for (let n = 0; n < perClient; n += 1) {
        const headers = { 'idempotency-key': `${name}-${n}` };
        const body = { someProperty: `${name}-${n}` };
        const request = { method: 'POST', path: '/p/resource', token, headers, body };
        let { answer, sent } = await persist(client, request);
        while (answer.status === 409) {
          await pause(10);
          ({ answer, sent } = await persist(client, request));
        }
        repeats += sent - 1;
        assert.equal(answer.status, 201, answer.text);
        assert.equal((JSON.parse(answer.text) as Document).someProperty, body.someProperty);
      }
    };
    const all = connect(30);
    const before = workersOf(running);
    assert.equal(before.length, workers);
    const replaced = running.logged('"worker-ready"');
    const creating = Promise.all(all.map(create));
    await all[0]!.request({ path: '/health/live' });
    process.kill(random.pick([...before]), 'SIGKILL');
    await creating;
    await replaced;
    const after = workersOf(running);
    assert.equal(after.length, workers);
    assert.equal(after.filter((pid) => before.includes(pid)).length, workers - 1);
    const { text } = await running.request({ path: '/p/resource?limit=0', token });
    assert.equal((JSON.parse(text) as { total: number }).total, all.length * perClient);
    t.diagnostic(`seed ${random.seed}: ${repeats} requests were sent again`);
  });

  it('SIGKILL of the primary: its workers end, and the next start has all that was acknowledged', async () => {
    const running = await start();
    const token = await running.token('manage_test:p');
    const told: string[] = [];
    const creating = Promise.all(connect(20).map((client) => createUntilGone(client, token, told)));
    await waitUntil(() => told.length >= enough, creating);
    await pause(random.integer(0, 500));
    running.kill('SIGKILL');
    // Its output ends only when the workers, which write to it too, have ended.
    assert.equal((await running.ended).signal, 'SIGKILL');
    await creating;
    await assertAllThere(told);
    service?.kill('SIGTERM');
    assert.equal((await service?.ended)?.code, 0);
    const check = await runCommand(['check'], { DATA_DIR: folder.path });
    assert.deepEqual([check.code, check.stdout.trim()], [0, 'All is well.'], check.stderr);
  });

  it('SIGTERM under load: exit code 0, every response whole, and none missing for a request that was sent before', async () => {
    const running = await start();
    const token = await running.token('manage_test:p');
    const unanswered: number[] = [];
    let cut = 0;
    const onFault = ({ kind }: NoAnswer, sent: number) => {
      if (kind === 'cut') cut += 1;
      if (kind === 'none') unanswered.push(sent);
    };
    const told: string[] = [];
    const creating = Promise.all(connect(30).map((client) => createUntilGone(client, token, told, onFault)));
    await waitUntil(() => told.length >= enough, creating);
    await pause(random.integer(0, 400));
    const signalled = performance.now();
    running.kill('SIGTERM');
    const { code, signal, stdout, stderr } = await running.ended;
    assert.deepEqual([code, signal], [0, null], stderr);
    await creating;
    assert.equal(cut, 0);
    assert.deepEqual(
      unanswered.filter((sent) => sent < signalled),
      [],
    );
    assert.equal(stdout.match(/"listening"/g)?.length, 1);
    for (const worker of [1, 2, 3]) assert.match(stdout, new RegExp(`"ending","worker":${worker},`));
    assert.equal(stderr.match(/curl -u/g)?.length, 1);
    await assertAllThere(told);
  });

  it('SIGTERM to the whole group, as a terminal or a supervisor sends it: exit code 0', {
    skip: withoutProc,
  }, async () => {
    const running = await start();
    for (const pid of [...workersOf(running), running.pid]) process.kill(pid, 'SIGTERM');
    assert.deepEqual([(await running.ended).code, (await running.ended).signal], [0, null]);
  });

  it('a port that is taken: the start is refused as with one process', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    try {
      const environment = { ...settings, DATA_DIR: folder.path, PORT: String(port) };
      const { code, stderr } = await runCommand(['serve'], environment);
      assert.equal(code, 70, stderr);
      assert.match(stderr, /^Port \d+ is in use\. Stop the other process or set PORT\.$/m);
    } finally {
      taken.close();
    }
  });

  it('workers that cannot start: exit code 1, and the reason is said once', async () => {
    const ACTIONS_DIR = join(folder.path, 'actions');
    mkdirSync(ACTIONS_DIR);
    writeFileSync(join(ACTIONS_DIR, 'broken.ts'), 'export default { name: "broken" };\n');
    const environment = { ...settings, DATA_DIR: folder.path, PORT: '0', ACTIONS_DIR };
    const { code, stdout, stderr } = await runCommand(['serve'], environment);
    assert.equal(code, 1, stderr);
    assert.equal(stderr.match(/worker ended before it served/g)?.length, 1);
    assert.equal(stdout.match(/"worker-ended","worker":1,/g)?.length, 1);
    assert.doesNotMatch(stdout, /"listening"/);
  });

  it('a second service on the same folder is refused as with one process', async () => {
    await start();
    const { code, stderr } = await runCommand(['serve'], { ...settings, DATA_DIR: folder.path, PORT: '0' });
    assert.equal(code, 70);
    assert.match(stderr, /Another process serves this data folder/);
  });
});
