import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { costReport } from './costs.ts';
import { stripTypes } from './strip.ts';

const folder = mkdtempSync(join(tmpdir(), 'grs-runner-'));
after(() => rmSync(folder, { recursive: true }));

test('stripTypes: blanks in the place of types, by the hash of the text; what is gone or no TypeScript is not there', () => {
  const [root, to] = [join(folder, 'project'), join(folder, 'stripped')];
  mkdirSync(join(root, 'src'), { recursive: true });
  const source = 'export const a: number = 1;\n';
  writeFileSync(join(root, 'src/a.ts'), 'export const old = 1;\n');
  stripTypes(root, to);
  writeFileSync(join(root, 'src/a.ts'), source);
  writeFileSync(join(root, 'src/bad.ts'), 'enum A { B }\n');
  stripTypes(root, to);
  assert.deepEqual(readdirSync(to), [hash('sha1', source)]);
  assert.equal(readFileSync(join(to, hash('sha1', source)), 'utf8'), 'export const a         = 1;\n');
});

test('own-modules.js: a file of the project comes from the folder, and from its own text where that was changed since', () => {
  const file = fileURLToPath(new URL('../seed.ts', import.meta.url));
  const stripped = join(folder, 'seed');
  mkdirSync(stripped);
  const seedOf = () => {
    const preloaded = new URL('./own-modules.js', import.meta.url).href;
    const code = `import(${JSON.stringify(new URL('../seed.ts', import.meta.url).href)}).then((m) => console.log(m.testSeed))`;
    const env = { ...process.env, GRS_TEST_STRIPPED: stripped, TEST_SEED: '5' };
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', preloaded, '-e', code], {
      ...{ env, encoding: 'utf8' },
    });
    return stdout.trim() || stderr;
  };
  assert.equal(seedOf(), '5');
  writeFileSync(join(stripped, hash('sha1', readFileSync(file))), 'export const testSeed = "stripped";\n');
  assert.equal(seedOf(), 'stripped');
});

test('costReport: the slowest files first, and the sums of all', () => {
  const notes = join(folder, 'costs');
  writeFileSync(notes, '["/p/a.test.ts",1.25]\n["/p/b.test.ts",2]\n');
  const passed = new Map<string, number>(
    Array.from({ length: 20 }, (_, n): [string, number] => [`/p/${n}.test.ts`, 10 * n]),
  );
  passed.set('/p/a.test.ts', 3000).set('/p/b.test.ts', 4040);
  const lines = costReport('/p', passed, notes).map((line) => line.split(/ {2,}/).map((cell) => cell.trim()));
  assert.deepEqual(lines.slice(0, 3), [
    ['slowest files', 'seconds', 'processor s'],
    ['b.test.ts', '4.0', '2.0'],
    ['a.test.ts', '3.0', '1.3'],
  ]);
  assert.equal(lines.length, 17);
  assert.deepEqual(lines.at(-1), ['all 22 files', '9', '3']);
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
