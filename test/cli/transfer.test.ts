import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { dataFolder, main, runCommand, startService } from '../faults/service-process.ts';
import { openTestStore } from '../storage/sqlite/open-test-store.ts';
import { createRecords, projectRecords } from '../transfer/project.ts';

/** `grs project move-out` and `move-in` as an operator runs them: from one data folder through a file into a new one. */
const source = dataFolder();
const file = join(source.path, 'shop.ndjson');
const records = projectRecords('shop');
let target = dataFolder();
const exporting = (...args: readonly string[]) =>
  runCommand(['project', 'move-out', ...args], { DATA_DIR: source.path });
const importing = (...args: readonly string[]) =>
  runCommand(['project', 'move-in', ...args], { DATA_DIR: target.path });

before(async () => {
  const store = await openTestStore(join(source.path, 'grs.db'));
  await createRecords(store, [...records, ...projectRecords('other')]);
  await store.close();
  const { code, stdout, stderr } = await exporting('--project', 'shop', '--out', file);
  assert.deepEqual([code, stdout], [0, ''], stderr);
});
beforeEach(() => {
  target.remove();
  target = dataFolder();
});
after(() => {
  target.remove();
  source.remove();
});

/** The columns of the rows of a project, checksums included, as they are on the disk. */
function rowsOf(folder: string, project = 'shop'): readonly unknown[] {
  const db = new DatabaseSync(join(folder, 'grs.db'), { readOnly: true, timeout: 60_000 });
  try {
    const all = db.prepare("SELECT * FROM resource WHERE project_key IN (?, ? || '~images', ? || '~backend')");
    // Rows and changes are numbered by each store.
    const rows = all
      .all(project, project, project)
      .map(({ row: _, changed: __, ...columns }) => JSON.stringify(columns));
    return rows.sort();
  } finally {
    db.close();
  }
}

test('export, then import into an empty folder: rows equal in every byte, indexes as a check wants them', async () => {
  const { code, stdout, stderr } = await importing('--project', 'shop', '--in', file);
  assert.deepEqual([code, stdout], [0, 'Imported: 45 created, 0 replaced, 0 unchanged, 0 refused.\n'], stderr);
  assert.match(stderr, /^An export of the project shop of \d{4}-.+Z\.\n$/);
  assert.equal(rowsOf(target.path).length, 45);
  assert.deepEqual(rowsOf(target.path), rowsOf(source.path));
  assert.equal((await runCommand(['check'], { DATA_DIR: target.path })).stdout, 'All is well.\n');
});

test('export to standard output and to --out write the same records; the file is for its owner alone', async () => {
  const { code, stdout, stderr } = await exporting('--project', 'shop');
  assert.deepEqual([code, stderr], [0, 'Exported 45 records of the project shop.\n']);
  const afterHeader = (text: string) => text.slice(text.indexOf('\n')).replace(/"sha256":"\w+"/, '');
  assert.equal(afterHeader(stdout), afterHeader(readFileSync(file, 'utf8')));
  assert.equal(statSync(file).mode & 0o077, 0);
  assert.equal(existsSync(`${file}.part`), false);
});

test('import from standard input into another project: that project has the records, and is told', async () => {
  const child = spawnImport('copy');
  child.stdin.end(readFileSync(file));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  assert.deepEqual(await once(child, 'close'), [0, null], stderr);
  assert.match(stderr, /An export of the project shop of .+, into the project copy\.\n/);
  const renamed = rowsOf(source.path).map((row) =>
    String(row).replaceAll('"project_key":"shop', '"project_key":"copy').replaceAll('/shop/images/', '/copy/images/'),
  );
  const withoutChecksum = (rows: readonly unknown[]) => rows.map((row) => String(row).replace(/"checksum":\d+/, ''));
  assert.deepEqual(withoutChecksum(rowsOf(target.path, 'copy')), withoutChecksum(renamed));
});

test('import of a truncated file: exit code 1, told what was imported; the whole file then goes on', async () => {
  const cut = join(source.path, 'cut.ndjson');
  const text = readFileSync(file, 'utf8');
  writeFileSync(cut, text.slice(0, text.indexOf('\n', text.length / 2) + 10));
  const refused = await importing('--project', 'shop', '--in', cut);
  assert.equal(refused.code, 1);
  const [, created] = /^Not all was imported: (\d+) created/.exec(refused.stdout) ?? [];
  assert.equal(rowsOf(target.path).length, Number(created));
  assert.match(refused.stderr, /the file ends in the middle of line \d+: it is truncated/);
  const { code, stdout } = await importing('--project', 'shop', '--in', file);
  const rest = 45 - Number(created);
  assert.deepEqual([code, stdout], [0, `Imported: ${rest} created, 0 replaced, ${created} unchanged, 0 refused.\n`]);
  assert.deepEqual(rowsOf(target.path), rowsOf(source.path));
});

/** An import that reads what the test writes to it. */
function spawnImport(project: string) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: target.path };
  return spawn(process.execPath, [main, 'project', 'move-in', '--project', project], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}

/** Rows that are in the target now; none while its database is being made. */
function countRows(): number {
  try {
    return rowsOf(target.path).length;
  } catch {
    return 0;
  }
}

test('import killed in the middle: what it stored is whole, and a second run stores the rest', async () => {
  const child = spawnImport('shop');
  const closed = once(child, 'close');
  const text = readFileSync(file, 'utf8');
  // The input stays open: it has stored some and waits for more when it is killed.
  child.stdin.write(text.slice(0, text.indexOf('\n', text.length / 2) + 10));
  while (countRows() === 0 && child.exitCode === null) await pause(20);
  child.kill('SIGKILL');
  assert.deepEqual(await closed, [null, 'SIGKILL']);
  const { code, stdout } = await importing('--project', 'shop', '--in', file);
  const [, created, unchanged] = /^Imported: (\d+) created, 0 replaced, (\d+) unchanged, 0 refused/.exec(stdout) ?? [];
  assert.equal(code, 0);
  assert.ok(Number(created) > 0 && Number(unchanged) > 0, stdout);
  assert.deepEqual(rowsOf(target.path), rowsOf(source.path));
});

test('import onto a resource that differs: exit code 1 and its id; with --overwrite it is replaced', async () => {
  const store = await openTestStore(join(target.path, 'grs.db'));
  const [first] = records as [(typeof records)[0]];
  await createRecords(store, [{ ...first, current: first.current.replace('"n":0', '"n":"mine"') }]);
  await store.close();
  const refused = await importing('--project', 'shop', '--in', file);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stdout,
    /^Imported: 44 created, 0 replaced, 0 unchanged, 1 refused\.\n {2}resource n-0: it exists and differs/,
  );
  const replaced = await importing('--project', 'shop', '--in', file, '--overwrite');
  assert.deepEqual(
    [replaced.code, replaced.stdout],
    [0, 'Imported: 0 created, 1 replaced, 44 unchanged, 0 refused.\n'],
  );
  assert.deepEqual(rowsOf(target.path), rowsOf(source.path));
});

test('beside a running service: export writes the project, import is refused with exit code 70', async () => {
  await importing('--project', 'shop', '--in', file);
  const service = await startService(target.path);
  try {
    const { code, stdout } = await runCommand(['project', 'move-out', '--project', 'shop'], { DATA_DIR: target.path });
    assert.deepEqual([code, stdout.split('\n').length], [0, 48]);
    const refused = await importing('--project', 'shop', '--in', file);
    assert.equal(refused.code, 70);
    assert.match(refused.stderr, /Another process serves this data folder/);
  } finally {
    service.kill('SIGTERM');
    await service.ended;
  }
});

test('export and import with wrong arguments say what would be right: exit code 2, and nothing is made', async () => {
  for (const [args, message] of [
    [['project', 'move-out', '--out', 'x'], /--project is missing/],
    [['project', 'move-out', '--project', 'a b'], /--project: expected 1 to 64 letters/],
    [['project', 'move-out', '--project', 'shop'], /there is no store at .*grs\.db/],
    [['project', 'move-in', '--in', file], /--project is missing/],
    [
      ['project', 'move-in', '--project', 'shop', '--in', join(source.path, 'none')],
      /--in: .*none cannot be read \(ENOENT\)/,
    ],
    [['project', 'move-in', '--project', 'shop', '--in', source.path], /--in: .* is a folder/],
    [['project', 'move-in', '--project', 'shop', '--force'], /Unknown option '--force'/],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(args, { DATA_DIR: target.path });
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message);
  }
  assert.equal(existsSync(join(target.path, 'grs.db')), false);
});

test('export of a damaged resource or to a folder that does not exist: exit code 70 or 1, and no file', async () => {
  const out = join(target.path, 'none', 'shop.ndjson');
  const nowhere = await exporting('--project', 'shop', '--out', out);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /ENOENT.*\nThe export is not complete/);
  await importing('--project', 'shop', '--in', file);
  const db = new DatabaseSync(join(target.path, 'grs.db'));
  db.exec("UPDATE resource SET current = replace(current, 'key 7', 'key 8') WHERE id = 'n-7'");
  db.close();
  const beside = join(target.path, 'shop.ndjson');
  const damaged = await runCommand(['project', 'move-out', '--project', 'shop', '--out', beside], {
    DATA_DIR: target.path,
  });
  assert.equal(damaged.code, 70);
  assert.match(damaged.stderr, /resource 'n-7' is damaged/);
  assert.equal(existsSync(beside), false);
});
