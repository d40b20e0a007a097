import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createHealthHistory, maxSamples } from '../../src/telemetry/health-history.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createSlowQueries, maxSlowQueries } from '../../src/telemetry/slow-queries.ts';
import { createStoreMetrics } from '../../src/telemetry/store-metrics.ts';
import { startTestApi } from '../start-test-api.ts';
import { newClient, postForm } from './oauth-requests.ts';
import { refusalOf } from './open-resources.ts';

const scope = 'view_service';
const api = await startTestApi({}, noLog, {}, { slowQueryMs: 1 });
after(() => api.close());

const paths = ['/health/projects', '/health/history', '/health/slow-queries'];

test('/health/projects, history and slow-queries need the scope of the service, which only the administrator gets', async () => {
  for (const path of paths) {
    assert.equal((await api.call({ path, scope })).status, 200, path);
    refusalOf(await api.call({ path, scope: 'none' }), 401, 'invalid_token');
    refusalOf(await api.call({ path, scope: 'manage_project:p manage_api_clients:p' }), 403, 'insufficient_scope');
    refusalOf(await api.call({ path: `${path}?unknown=1`, scope }), 400, 'InvalidInput');
  }
  const client = await newClient(api, 'p', ['view_test']);
  const asked = await postForm(api, '/oauth/token', `grant_type=client_credentials&scope=${scope}`, client);
  assert.deepEqual([asked.status, asked.json.error], [400, 'invalid_scope']);
  // It opens nothing in a project.
  refusalOf(await api.call({ path: '/p', scope }), 403, 'insufficient_scope');
});

test('/health/projects has every project once, with the number of its resources, page by page', async () => {
  const keys = ['shop-a', 'shop-b', 'shop-c'];
  for (const key of keys) await api.call({ method: 'POST', path: `/${key}/resource`, body: { key: 'one' } });
  await api.call({ method: 'POST', path: '/shop-b/resource', body: { key: 'two' } });
  const found: { key: string; resources: number }[] = [];
  for (let path: string | undefined = '/health/projects?limit=1'; path; ) {
    const { json, headers, status } = await api.call({ path, scope });
    assert.equal(status, 200);
    assert.equal('next' in json, headers.link !== undefined);
    found.push(...json.results);
    path = json.next && `/health/projects?limit=1&cursor=${json.next}`;
  }
  const ofTest = found.filter(({ key }) => keys.includes(key)).map(({ key, resources }) => [key, resources]);
  assert.deepEqual(ofTest, [
    ['shop-a', 1],
    ['shop-b', 2],
    ['shop-c', 1],
  ]);
  assert.equal(new Set(found.map(({ key }) => key)).size, found.length);
  refusalOf(await api.call({ path: '/health/projects?cursor=x', scope }), 400, 'InvalidInput');
  refusalOf(await api.call({ path: '/health/projects?limit=101', scope }), 400, 'InvalidInput');
});

test('/health/slow-queries tells what took long, and how it was run', async () => {
  const note = 'word '.repeat(2000);
  const drafts = Array.from({ length: 300 }, (_, i) => ({
    operation: 'create',
    draft: { key: `n${i}`, note, size: i },
  }));
  const made = await api.call({ method: 'POST', path: '/slow/resource/batch', body: { operations: drafts } });
  assert.equal(made.status, 200, made.text);
  const where = encodeURIComponent('note matches ignore case "WORD" and not (size = 3)');
  const list = `/slow/resource/sorted-query-parameters?where=${where}&sort=note%20asc&cursor=`;
  const slow = () => api.call({ path: '/health/slow-queries', scope });
  // Whether a query is slow depends on the machine: until one was.
  let found: Record<string, unknown> | undefined;
  for (let i = 0; i < 200 && !found; i += 1) {
    const { headers } = await api.call({ path: list.replace('&cursor=', `&limit=${i + 1}`) });
    assert.ok(headers['x-correlation-id']);
    const { json } = await slow();
    found = json.results.find((each: { run?: { plan: string[] } }) => each.run?.plan.length);
  }
  assert.ok(found, 'a query that reads 300 long documents took 5 ms');
  assert.deepEqual([found.projectKey, found.operation], ['slow', 'listResourcesSorted']);
  assert.deepEqual((found.parameters as Record<string, unknown>).where, [decodeURIComponent(where)]);
  assert.equal(found.clientId, 'test-admin');
  const run = found.run as { queue: string; ranMs: number; rowsRead: number; plan: string[] };
  assert.ok(['short', 'long', 'pool'].includes(run.queue) && run.ranMs > 0, JSON.stringify(run));
  // PostgreSQL does not tell it.
  assert.ok(run.queue === 'pool' || run.rowsRead >= 299, JSON.stringify(run));
  assert.match(run.plan.join('; '), /index|looked at/);
  // A form says the same.
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const posted = { method: 'POST', path: '/slow/resource/searchApiPattern', headers: form };
  let searched: { parameters: Record<string, unknown> } | undefined;
  for (let i = 0; i < 200 && !searched; i += 1) {
    assert.equal((await api.call({ ...posted, body: `text.en=word&facet=size&limit=${i + 1}` })).status, 200);
    const { json } = await slow();
    searched = json.results.find(({ operation }: { operation: string }) => operation === 'searchResources');
  }
  assert.deepEqual(searched?.parameters['text.en'], ['word']);
});

test('slow queries: the last ones stay, with their errors; long parameters are cut', async () => {
  const slow = createSlowQueries({ thresholdMs: 0.000_001, nowMs: () => 0 });
  const requestOf = (where: string) => ({
    ...{ projectKey: 'p', url: '/', bytes: Buffer.from(`where=${encodeURIComponent(where)}`), correlationId: 'c' },
  });
  const watch = (where: string, run: () => Promise<unknown>) => slow.watch({}, 'o', requestOf(where), run);
  await assert.rejects(watch('fails', () => Promise.reject(Object.assign(new Error('x'), { code: 'QueryTimedOut' }))));
  assert.equal(slow.list()[0]?.error, 'QueryTimedOut');
  for (let i = 0; i <= maxSlowQueries; i += 1) await watch(`${i} ${'x'.repeat(10_000)}`, async () => {});
  assert.equal(slow.list().length, maxSlowQueries);
  const [newest] = slow.list();
  assert.ok(newest!.parameters.where![0]!.startsWith(`${maxSlowQueries} x`));
  assert.ok(newest!.parameters.where![0]!.length < 4100);
});

test('the history has what happened in each interval, adds up processes, and stays bounded', async () => {
  const metrics = createMetrics();
  const store = createStoreMetrics(metrics, { short: ['list'] });
  const help = 'h';
  const labels = { operation: 'getThing', status: '2xx' };
  const durations = metrics.histogram('http_request_duration_seconds', help, [0.001, 0.01, 0.1], labels);
  metrics.gauge('process_resident_memory_bytes', help, () => 1000);
  let waiting = 0;
  store.recordWaiting('short', () => waiting);
  let nowMs = Date.parse('2026-01-02T03:04:05Z');
  let text: string | undefined;
  const history = createHealthHistory({ render: () => text ?? metrics.render(), nowMs: () => nowMs, log: noLog });
  const next = async () => {
    nowMs += 10_000;
    await history.sample();
    return JSON.parse(history.samplesAfter(nowMs - 1).at(-1)!);
  };
  durations.observe(5);
  await history.sample();
  assert.deepEqual(history.samplesAfter(0), [], 'what was counted before has no interval');

  for (let i = 0; i < 99; i += 1) durations.observe(0.0005);
  durations.observe(0.05);
  store.recordCommit(7, 2);
  store.recordQuery('list', 'short', 3);
  waiting = 4;
  const first = await next();
  assert.deepEqual([first.at, first.seconds], ['2026-01-02T03:04:15.000Z', 10]);
  assert.equal(first.requests.getThing['2xx'], 100);
  const { p50Ms, p99Ms } = first.requests.getThing;
  assert.ok(p50Ms > 0 && p50Ms < 1 && p99Ms <= 1, `${p50Ms} ${p99Ms}`);
  assert.deepEqual([first.commits.count, first.commits.writes], [1, 7]);
  assert.deepEqual([first.queries.short.count, first.queries.short.waiting], [1, 4]);
  assert.equal(first.memory.rssBytes, 1000);

  const second = await next();
  assert.deepEqual(second.requests, {});
  assert.deepEqual([second.commits.count, second.commits.p50Ms], [0, undefined]);

  // Two processes, of which one was replaced since: its counter begins anew.
  const lines = (a: number, b: number) =>
    [a, b].map(
      (count, i) => `http_request_duration_seconds_count{worker="${i}",operation="x",status="5xx"} ${count}\n`,
    );
  text = lines(10, 10).join('');
  await next();
  text = lines(13, 2).join('');
  assert.equal((await next()).requests.x['5xx'], 5);
  const before = history.samplesAfter(0).length;
  assert.equal(before, 4);
  for (let i = 0; i < maxSamples; i += 1) await next();
  assert.equal(history.samplesAfter(0).length, maxSamples);
});
