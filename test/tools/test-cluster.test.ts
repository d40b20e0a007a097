import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startTestPostgres, type TestPostgres } from '../storage/postgres/start-test-postgres.ts';
import { runProgram } from './run-program.ts';

/** The trials of a cluster. They run on the one that TEST_CLUSTER_URL names; a PostgreSQL without Citus is none. */
const program = fileURLToPath(new URL('../../tools/test-cluster.ts', import.meta.url));
let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

const run = (...args: readonly string[]) => runProgram(program, args);

const cluster = process.env.TEST_CLUSTER_URL;

test('test-cluster on a Citus cluster: all is well', {
  skip: cluster === undefined && 'no TEST_CLUSTER_URL',
}, async () => {
  const { code, stdout, stderr } = await run(cluster!);
  assert.equal(code, 0, stdout + stderr);
});

test('test-cluster without Citus: 70, and says so', async () => {
  const { code, stderr } = await run(postgres.url);
  assert.equal(code, 70);
  assert.match(stderr, /no Citus extension/);
});

test('test-cluster with wrong arguments: 2 and what is right; --help: 0', async () => {
  for (const args of [[], ['mysql://x'], [postgres.url, 'more'], [postgres.url, '--only', 'x'], ['--x']]) {
    const { code, stderr } = await run(...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /See --help/);
  }
  const { code, stdout } = await run('--help');
  assert.equal(code, 0);
  assert.match(stdout, /^Usage:/m);
});
