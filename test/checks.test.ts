import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeClientTypes } from '../tools/client-types.ts';

/** What is looked at without being run. As tests, so that they run beside the others and one command checks it all. */
const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** The compiler, a program in Go, ends before its garbage is worth collecting: that takes a quarter of its CPU time. */
const once = { GOGC: 'off' };

/** Runs a program of a package; fails with all that it says. */
function run(name: string, program: string, ...args: readonly string[]): void {
  const file = join(dirname(require.resolve(`${name}/package.json`)), program);
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  // Its own coverage is nobody's concern.
  const env = { ...process.env, ...quiet, ...once, NODE_V8_COVERAGE: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: root, encoding: 'utf8', env });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

test('lint: biome finds nothing (npm run lint)', () =>
  run('@biomejs/biome', 'bin/biome', 'check', '--error-on-warnings', '.'));

before(() => writeClientTypes());

test('types: the compiler finds nothing (npm run types)', () =>
  run('typescript', 'bin/tsc', '--noEmit', '--checkers', '1'));

test('types of the console: the compiler finds nothing (npm run types)', () =>
  run('typescript', 'bin/tsc', '--noEmit', '-p', 'packages/console'));

test('docs/openapi.json: redocly finds nothing', () => run('@redocly/cli', 'bin/cli.js', 'lint', 'docs/openapi.json'));
