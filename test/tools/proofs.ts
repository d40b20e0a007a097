/**
 * `npm test -- test/tools/proofs.ts`: the proofs of a release in small, those that take long. Before a release, with the proofs themselves: what
 * they promise is held by test/faults in every run.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withClient } from '../../tools/smoke-cluster/shards.ts';
import { startPostgres } from '../storage/postgres/postgres-server.ts';
import { runProgram } from './run-program.ts';

const program = fileURLToPath(new URL('../../tools/prove.ts', import.meta.url));
const prove = (...args: readonly string[]) => runProgram(program, args);

const canTrace = spawnSync('strace', ['-f', '-e', 'trace=write', 'true']).status === 0;

test('prove power-loss: every acknowledged write is there in each image that a disk may have kept, and a build that does not wait for the disk is caught', {
  skip: canTrace ? false : 'strace is not here, or may not trace',
}, async () => {
  const { code, stdout, stderr } = await prove('power-loss', '--images', '24', '--seed', '3');
  assert.equal(code, 0, stdout + stderr);
  assert.match(
    stdout,
    /^nothing found: images 24, served [1-9], traces 1, fileEvents [\d,]{4,}, databaseSyncs [1-9]\d*, expectedWrites [\d,]+/m,
  );
  assert.match(stdout, /^Control \(a commit does not wait until the disk has it .*: caught: \d+ × (start|lost)/m);
});

const writesFound = /^nothing found: rounds \d+, writes \d[\d,]*, acknowledged \d+, refused \d+, unknown \d+, reads /m;

test('prove writes: takes a database, too, and no control', async () => {
  const server = await startPostgres();
  try {
    const args = ['--minutes', '0.01', '--workers', '1', '--control', 'none', '--database', server.url];
    const { code, stdout, stderr } = await prove('writes', ...args);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, writesFound);
    assert.doesNotMatch(stdout, /^Control/m);
    const asked =
      "SELECT count(DISTINCT project_key)::int AS projects FROM resource WHERE project_key LIKE 'writes-%-a'";
    const [found] = await withClient(server.url, async (client) => (await client.query(asked)).rows);
    assert.equal(found.projects, 1);
  } finally {
    await server.close();
  }
});

test('prove histories: finds nothing while services and PostgreSQL are disturbed, and catches a build that does not ask for what is new', async () => {
  const args = ['histories', '--minutes', '0.1', '--control', 'asks-no-log', '--seed', '7'];
  const { code, stdout, stderr } = await prove(...args);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /^nothing found: .*queries \d+/m);
  assert.match(stdout, /^Control \(a query does not ask PostgreSQL.*: caught: /m);
});
