import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { recordStatements } from '../../tools/smoke-cluster/recorded.ts';
import type { SmokeFetch } from '../../tools/smoke-cluster/service.ts';
import { inspectStatements, tableStatements, tasksOf } from '../../tools/smoke-cluster/shards.ts';
import { runSteps } from '../../tools/smoke-cluster/steps.ts';
import { startTestApi } from '../start-test-api.ts';
import { startTestPostgres, type TestPostgres } from '../storage/postgres/start-test-postgres.ts';
import { runProgram } from './run-program.ts';

/** The smoke test of a cluster, on a PostgreSQL without one. */
const program = fileURLToPath(new URL('../../tools/smoke-cluster.ts', import.meta.url));
let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

const run = (...args: readonly string[]) => runProgram(program, args);

test('smoke-cluster on an empty PostgreSQL: makes the tables, every step ok in 20 projects, nothing left of them', async () => {
  const { code, stdout, stderr } = await run(postgres.url);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /migration applied: 10 /);
  for (const step of [
    'create',
    'read by id and key',
    'list, sort, exists',
    'search, fuzzy, facets',
    'search by settings',
  ]) {
    assert.match(stdout, new RegExp(`^${step} +\\d+ +ok `, 'm'));
  }
  assert.match(stdout, /^create +100 +ok /m);
  assert.match(stdout, /No Citus extension/);
  for (const table of ['resource', 'event', 'event_head', 'idempotent_answer']) {
    const [left] = await postgres.run<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
    assert.equal(left?.count, 0, table);
  }
});

test('smoke-cluster beside other projects: their resources stay as they are', async () => {
  const api = await startTestApi({ DATABASE_URL: postgres.url });
  await api.call({ method: 'POST', path: '/smoke/resource', body: { id: 'mine' } });
  assert.equal((await run(postgres.url, '--projects', '1')).code, 0);
  assert.equal((await api.call({ path: '/smoke/resource/mine' })).status, 200);
  await api.close();
});

test('smoke-cluster with wrong arguments: 2 and what is right; without a server: 70; --help: 0', async () => {
  for (const args of [[], ['mysql://x'], [postgres.url, 'more'], [postgres.url, '--projects', '0'], ['--x']]) {
    const { code, stderr } = await run(...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /See --help/);
  }
  const { code, stderr } = await run('postgres://grs:secret@127.0.0.1:1/grs');
  assert.equal(code, 70);
  assert.match(stderr, /DATABASE_URL: /);
  assert.doesNotMatch(stderr, /secret/);
  const help = await run('--help');
  assert.equal(help.code, 0);
  assert.match(help.stdout, /Usage:/);
});

test('the steps on a service that answers with resources of another project: told as failures', async () => {
  const api = await startTestApi({ DATABASE_URL: postgres.url });
  const request: SmokeFetch = async ({ project, path, method = 'GET', body }) => {
    const asked = path.includes('where') ? 'other' : project;
    return api.call({ method, path: `/${asked}${path}`, body });
  };
  await runSteps(request, ['other']);
  const results = await runSteps(request, ['own']);
  await api.close();
  const failed = results.filter(({ failures }) => failures.length > 0).map(({ name }) => name);
  assert.deepEqual(failed, ['list, sort, exists']);
});

test('the statements of all steps: each can be planned, and none is for several shard groups', async () => {
  const recorder = recordStatements();
  const api = await startTestApi({ DATABASE_URL: postgres.url });
  recorder.clear();
  const request: SmokeFetch = ({ project, path, method = 'GET', body }) =>
    api.call({ method, path: `/${project}${path}`, body });
  const results = await runSteps(request, ['one', 'two']);
  const sent = recorder.stop();
  await api.close();
  for (const { failures } of results) assert.deepEqual(failures, []);
  const texts = tableStatements(sent).map(({ text }) => text);
  for (const part of ['FROM grs_commit', 'FROM resource', 'FROM event_head']) {
    assert.ok(
      texts.some((text) => text.includes(part)),
      part,
    );
  }
  const { kinds, wide } = await inspectStatements(postgres.url, sent);
  assert.deepEqual([kinds, wide], [texts.length, []]);
});

test('the tasks of a plan: the most of all its parts, 0 where it is for one server', () => {
  const job = (tasks: number) => ({
    'Custom Plan Provider': 'Citus Adaptive',
    'Distributed Query': { Job: { 'Task Count': tasks } },
  });
  assert.equal(tasksOf([{ Plan: { 'Node Type': 'Index Scan', 'Plan Rows': 64 } }]), 0);
  assert.equal(tasksOf([{ Plan: job(1) }]), 1);
  assert.equal(tasksOf([{ Plan: { Plans: [job(1), { Subplans: [job(64)] }] } }]), 64);
});
