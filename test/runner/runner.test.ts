import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { costReport, readCosts } from './costs.ts';
import { type Entries, withApiOnPostgres, writeGroups } from './groups.ts';

const folder = mkdtempSync(join(tmpdir(), 'grs-runner-'));
after(() => rmSync(folder, { recursive: true }));

test('costReport: the files that used most CPU time first, and the sums of all', () => {
  const notes = join(folder, 'costs');
  const lines = Array.from({ length: 40 }, (_, n) => JSON.stringify([`/p/${n}.test.ts`, n / 100, 10 * n]));
  writeFileSync(notes, `["/p/a.test.ts",1.25,3000]\n["/p/b.test.ts",2,1000]\n${lines.join('\n')}\n`);
  const report = costReport('/p', readCosts(notes)).map((line) => line.split(/ {2,}/).map((cell) => cell.trim()));
  assert.deepEqual(report.slice(0, 3), [
    ['files by CPU time', 'CPU s', 'seconds'],
    ['b.test.ts', '2.0', '1.0'],
    ['a.test.ts', '1.3', '3.0'],
  ]);
  assert.equal(report.length, 27);
  assert.deepEqual(report.at(-1), ['all 42 files', '11', '12']);
  assert.deepEqual(readCosts(join(folder, 'none')), []);
});

type Grouping = (root: string, tests: readonly string[], folder: string) => Entries;

/** Files of a project whose tests share a process, and what the group said. */
function runInGroup(
  files: Readonly<Record<string, string>>,
  writePrograms: Grouping = writeGroups,
): {
  readonly stdout: string;
  readonly costs: readonly string[];
  /** The files that the runner waits for, as it calls them. */
  readonly tests: readonly string[];
} {
  const root = mkdtempSync(join(folder, 'group-'));
  mkdirSync(join(root, 'test/api'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, name), `import { after, before, beforeEach, mock, test } from 'node:test';\n${text}`);
  }
  const { files: programs, tests } = writePrograms(root, Object.keys(files), root);
  assert.equal(programs.length, 1);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ['--test-reporter=spec', ...programs], {
    ...{ env: { ...env, GRS_TEST_FOLDER: root }, encoding: 'utf8' },
  });
  const nameOf = (file: string) => file.slice(root.length + 1);
  return { stdout, costs: readCosts(join(root, 'costs')).map(({ file }) => nameOf(file)), tests: tests.map(nameOf) };
}

test('a group: each file has its own hooks, mocks and variables, and is closed before the next one starts', () => {
  const { stdout, costs } = runInGroup({
    'test/api/a.test.ts': `
      before(() => { globalThis.open = true; });
      beforeEach(() => { globalThis.count = (globalThis.count ?? 0) + 1; });
      after(async () => { await new Promise((resolve) => setTimeout(resolve, 50)); globalThis.open = false; });
      mock.method(Math, 'max', () => 7);
      process.env.OF_A = 'a';
      test('one', () => { if (!globalThis.open || Math.max(1) !== 7) throw new Error('not open'); });
      test('fails', () => { throw new Error('as it should'); });`,
    'test/api/b.test.ts': `
      const [max, variable] = [Math.max(1), process.env.OF_A];
      test('two', () => {
        if (globalThis.open || globalThis.count !== 2 || max !== 1 || variable !== undefined) throw new Error('shared');
      });`,
  });
  assert.match(stdout, /✖ test\/api\/a\.test\.ts[\s\S]*✔ test\/api\/b\.test\.ts/);
  assert.match(stdout, /ℹ pass 2\nℹ fail 1\n/);
  assert.deepEqual(costs, ['test/api/a.test.ts', 'test/api/b.test.ts', 'test/api/1.group.js (shared by its files)']);
});

test('the API on PostgreSQL: its files run in one group, marked as such, without those about the embedded database', () => {
  const noEntries = { files: [], tests: [] };
  const onPostgres = `test('on', () => { if (process.env.TEST_API_ON_POSTGRES !== '1') throw new Error('embedded'); });`;
  const embedded = `test('embedded', () => { throw new Error('has run'); });`;
  const { stdout, costs, tests } = runInGroup(
    { 'test/api/a.test.ts': onPostgres, 'test/api/b.test.ts': onPostgres, 'test/api/ways-in.test.ts': embedded },
    (root, files, to) => withApiOnPostgres(root, [...files, 'test/http/c.test.ts'], to, noEntries),
  );
  assert.match(stdout, /ℹ pass 2\nℹ fail 0\n/);
  assert.deepEqual(tests, ['test/api/a.test.ts (on PostgreSQL)', 'test/api/b.test.ts (on PostgreSQL)']);
  assert.deepEqual(costs.slice(0, 2), tests);
});

test('a group: a file that cannot be loaded fails, and the others run; one that ends the process leaves no cost, nor do those behind it', () => {
  const good = `test('good', () => {});`;
  const broken = runInGroup({ 'test/api/a.test.ts': `import './missing.ts';`, 'test/api/b.test.ts': good });
  assert.match(broken.stdout, /✖ test\/api\/a\.test\.ts[\s\S]*✔ test\/api\/b\.test\.ts/);
  const ending = runInGroup({
    'test/api/a.test.ts': `test('ends', () => process.exit(1));`,
    'test/api/b.test.ts': good,
  });
  assert.deepEqual(ending.costs, []);
});

test('run.ts: a file that cannot be loaded fails the run, which says why right above the summary', () => {
  const file = join(folder, 'broken.test.ts');
  writeFileSync(file, "import './missing.ts';\n");
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const runner = fileURLToPath(new URL('../run.ts', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [runner, file], { env, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(
    stdout,
    /\nwhat failed\n✖ [^\n]*broken\.test\.ts[^\n]*\n {4}test failed\n[\s\S]*Cannot find module[^\n]*missing\.ts[\s\S]*\n\nℹ tests 1\n/,
  );
});
