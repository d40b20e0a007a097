import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { checkPostgres, type PostgresCheckOptions } from '../../../src/record/postgres/maintenance/maintain.ts';
import { type ResourceRow, rowChecksum } from '../../../src/record/row/stored-row.ts';
import { runCommand } from '../../faults/service-process.ts';
import { creation, document, replacement } from '../records.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** A check by several threads. Pieces are small: the threads share each of the larger projects. */
let postgres: TestPostgres;
const several = { jobs: 2, pieceRows: 4 } as const;

interface Checked {
  readonly findings: readonly string[];
  /** The places that were printed, in their order. */
  readonly places: readonly string[];
  readonly error?: Error;
}

/** Checks, and says how far it got if it failed. */
async function check(options: PostgresCheckOptions = several): Promise<Checked> {
  const findings: string[] = [];
  const places: string[] = [];
  try {
    const found = await checkPostgres(
      postgres.url,
      false,
      (_label, done, total, at) => {
        assert.ok(done <= total);
        places.push(at!);
      },
      { ...options, onFinding: (finding) => findings.push(finding) },
    );
    assert.deepEqual(findings, found);
    return { findings, places };
  } catch (error) {
    return { findings, places, error: error as Error };
  }
}

const idOf = (n: number) => `r${String(n).padStart(2, '0')}`;
/** Resources of the projects; each was written twice, so that a log is twice as long. */
const projects = { a: 3, b: 37, 'b-2': 8, c: 1, d: 40 } as const;

before(async () => {
  postgres = await startTestPostgres();
  const store = await openTestStore(postgres, { declaredPaths: ['tags'] });
  for (const [project, count] of Object.entries(projects)) {
    for (let n = 0; n < count; n += 1) {
      const fields = { price: n, name: { en: `shoe ${n}` }, tags: [`t${n}`, `u${n % 3}`] };
      const first = document(idOf(n), 1, fields);
      await store.resources.commit(creation(project, first));
      await store.resources.commit(replacement(project, first, document(idOf(n), 2, { ...fields, price: n + 1 })));
    }
  }
  await store.clients.createClient({
    ...{ id: 'b.1', projectKey: 'b', name: 'n', scopes: ['view_test:b'], secretHash: 'x', createdAtMs: 1 },
  } as never);
  await store.close();
});
after(() => postgres.close());

test('two threads find nothing in a good store, and pass every place in its order', async () => {
  const { findings, places, error } = await check();
  assert.deepEqual([findings, error], [[], undefined]);
  const keyOf = (place: string) => {
    const [, log = '', project, at] = /^(log:)?([^/]+)\/(.+)$/.exec(place)!;
    return `${log === '' ? 1 : 2} ${project} ${at!.padStart(8, '0')}`;
  };
  assert.deepEqual(places.map(keyOf), places.map(keyOf).toSorted());
  for (const place of ['a/r02', 'b/r36', 'b-2/r07', 'c/r00', 'd/r39', 'log:b/74', 'log:d/80']) {
    assert.ok(places.includes(place), place);
  }
});

/** Damage to a row of each kind, with what a check says of it, and how it is mended. */
const damages: readonly (readonly [name: string, damage: string, mend: string, found: RegExp])[] = [
  [
    'a resource',
    `UPDATE resource SET current = replace(current, 'shoe 21', 'shoe 20') WHERE project_key = 'b' AND id = 'r21'`,
    `UPDATE resource SET current = replace(current, 'shoe 20', 'shoe 21') WHERE project_key = 'b' AND id = 'r21'`,
    /^resource b\/r21: its checksum does not match/,
  ],
  [
    'the terms of a resource',
    `UPDATE resource SET terms = array_append(terms, 7) WHERE project_key = 'd' AND id = 'r39'`,
    `UPDATE resource SET terms = array_remove(terms, 7) WHERE project_key = 'd' AND id = 'r39'`,
    /^resource d\/r39: its indexes say otherwise/,
  ],
  [
    'what conditions see of a resource',
    `UPDATE resource SET document = '{"price":1000}' WHERE project_key = 'a' AND id = 'r01'`,
    `UPDATE resource SET document = NULL WHERE project_key = 'a' AND id = 'r01'`,
    /^resource a\/r01: its indexes say otherwise/,
  ],
  [
    'an ordered value',
    `UPDATE ordered_value SET key = key || '\\x07' WHERE project_key = 'b' AND id = '\\xff723330'`,
    `UPDATE ordered_value SET key = substr(key, 1, length(key) - 1) WHERE project_key = 'b' AND id = '\\xff723330'`,
    /^resource b\/r30: its indexes say otherwise/,
  ],
  [
    'an ordered value too many',
    `INSERT INTO ordered_value VALUES ('d', 7, '\\x0707', 'r10')`,
    `DELETE FROM ordered_value WHERE key = '\\x0707'`,
    /^ordered values of project d: \d+ where the resources give \d+/,
  ],
  [
    'an event',
    `UPDATE event SET client = 'x' WHERE project_key = 'd' AND sequence = 41`,
    `UPDATE event SET client = '' WHERE project_key = 'd' AND sequence = 41`,
    /^event d\/41: its checksum does not match/,
  ],
  [
    'an API client',
    `UPDATE api_client SET scopes = '["view_test:c"]'`,
    `UPDATE api_client SET scopes = '["view_test:b"]'`,
    /^api_client b\/b\.1: its checksum does not match/,
  ],
];

for (const [name, damage, mend, found] of damages) {
  test(`${name} is damaged: two threads find it as one does`, async () => {
    await postgres.run(damage);
    const one = await check({ jobs: 1 });
    const { findings } = await check();
    await postgres.run(mend);
    assert.deepEqual(findings, one.findings);
    assert.equal(findings.length, 1);
    assert.match(findings[0]!, found);
  });
}

test('events that are missing, also where one piece ends and the next begins: each gap is named once', async () => {
  await postgres.run(`CREATE TABLE kept AS SELECT * FROM event WHERE project_key = 'b'`);
  await postgres.run(`DELETE FROM event WHERE project_key = 'b' AND sequence IN (4, 5, 9, 20, 21, 22, 23, 24, 25)`);
  const { findings } = await check();
  await postgres.run('INSERT INTO event SELECT * FROM kept ON CONFLICT DO NOTHING');
  await postgres.run('DROP TABLE kept');
  const gaps = findings.map((finding) => /^event (\S+): the one before it is missing/.exec(finding)?.[1]);
  assert.deepEqual(gaps, ['b/6', 'b/10', 'b/26']);
});

/** A row whose checksum holds and that PostgreSQL cannot read as JSON: it stops the session that looks at it. */
async function addStopper(project: string, id: string): Promise<void> {
  const row: ResourceRow = {
    ...{ project_key: project, id, key: null, version: 1, created_at: '2026-01-01T00:00:00' },
    ...{ modified_at: '2026-01-01T00:00:00', current: '{"a":"\\u0000"}', staged: null, history: '[]' },
  };
  await postgres.run(`INSERT INTO resource VALUES ($1, $2, NULL, 1, $3, $3, $4, NULL, '[]', $5, NULL, NULL, '{}')`, [
    project,
    id,
    row.created_at,
    row.current,
    rowChecksum(row),
  ]);
}

test('a piece that fails: the check ends before it, whatever others have done, and goes on from there', async () => {
  await addStopper('d', 'r17+');
  await postgres.run(`UPDATE resource SET checksum = 1 WHERE project_key = 'd' AND id IN ('r03', 'r25')`);
  try {
    const first = await check();
    assert.match(first.error?.message ?? 'none', /\S/);
    assert.notEqual(first.error?.message, 'none');
    const last = first.places.at(-1)!;
    assert.ok(last < 'd/r17+' && last >= 'c/r00', last);
    const again = await check({ ...several, part: { from: last } });
    assert.ok(again.error !== undefined, 'it is still there');
    await postgres.run(`DELETE FROM resource WHERE id = 'r17+'`);
    const rest = await check({ ...several, part: { from: last } });
    assert.equal(rest.error, undefined);
    const named = [...first.findings, ...rest.findings].map((finding) => /^resource (\S+): /.exec(finding)?.[1]);
    assert.deepEqual(named, ['d/r03', 'd/r25'], 'nothing is left out, and nothing is said twice');
    assert.ok(rest.places.includes('log:a/6'), 'the logs follow');
  } finally {
    await postgres.run(`DELETE FROM resource WHERE id = 'r17+'`);
    await postgres.run(
      `UPDATE resource r SET checksum = k.checksum FROM (VALUES ('r03', $1::bigint), ('r25', $2::bigint)) AS k (id, checksum)
        WHERE project_key = 'd' AND r.id = k.id`,
      await Promise.all(['r03', 'r25'].map(checksumOf)),
    );
  }
});

async function checksumOf(id: string): Promise<number> {
  const [row] = await postgres.run<ResourceRow>(
    `SELECT project_key, id, key, version::int, created_at, modified_at, current, staged, history FROM resource
      WHERE project_key = 'd' AND id = $1`,
    [id],
  );
  return rowChecksum(row!);
}

test('a check of one project, and from a place of a log on', async () => {
  await postgres.run(`UPDATE event SET client = 'x' WHERE project_key IN ('b', 'd') AND sequence IN (10, 60)`);
  const named = async (part: PostgresCheckOptions['part']) =>
    (await check({ ...several, part })).findings.map((finding) => /^event (\S+): /.exec(finding)?.[1]);
  assert.deepEqual(await named(undefined), ['b/10', 'b/60', 'd/10', 'd/60']);
  assert.deepEqual(await named({ project: 'd' }), ['d/10', 'd/60']);
  assert.deepEqual(await named({ from: 'd/r30' }), ['b/10', 'b/60', 'd/10', 'd/60']);
  assert.deepEqual(await named({ from: 'log:b/10' }), ['b/60', 'd/10', 'd/60']);
  assert.deepEqual(await named({ from: 'log:b-2' }), ['d/10', 'd/60']);
  assert.deepEqual(await named({ from: 'log:d/60' }), []);
  await postgres.run(`UPDATE event SET client = '' WHERE client = 'x'`);
});

test('writes beside a check by several threads: it sees each project at one moment', async () => {
  const store = await openTestStore(postgres, { declaredPaths: ['tags'] });
  let isOver = false;
  let writes = 0;
  const writing = (async () => {
    for (let version = 2; !isOver; version += 1) {
      for (const n of [0, 9, 18, 27, 36]) {
        const tags = [`t${n + version}`, 'u'];
        const next = document(idOf(n), version + 1, { price: n, tags });
        const before = document(
          idOf(n),
          version,
          version === 2 ? { tags: [`t${n}`, `u${n % 3}`] } : { tags: [`t${n + version - 1}`, 'u'] },
        );
        await store.resources.commit(replacement('b', before, next));
        writes += 1;
      }
    }
  })();
  for (let time = 0; time < 3; time += 1) assert.deepEqual((await check()).findings, []);
  isOver = true;
  await writing;
  assert.ok(writes > 0);
  await store.close();
  assert.deepEqual((await check()).findings, []);
});

const main = fileURLToPath(new URL('../../../src/main.js', import.meta.url));

test('grs check that is interrupted: what it found is there, and it says where to continue', async () => {
  await postgres.run(`UPDATE resource SET checksum = checksum + 1 WHERE project_key = 'd' AND id = 'r39'`);
  await postgres.run(`UPDATE event SET client = 'x' WHERE project_key = 'd' AND sequence = 60`);
  // The check has to wait where the logs begin.
  const other = new Client({ connectionString: postgres.url });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE event IN ACCESS EXCLUSIVE MODE');
  const environment = { DATABASE_URL: postgres.url, PATH: process.env.PATH ?? '' };
  const child = spawn(process.execPath, [main, 'check', '--jobs', '2'], { env: environment, stdio: 'pipe' });
  const said = { stdout: '', stderr: '' };
  const isFound = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text;
      if (said.stdout.endsWith('\n')) resolve();
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  const ended = once(child, 'close');
  await Promise.race([isFound, ended]);
  child.kill('SIGINT');
  const [code] = await ended;
  await other.end();
  assert.match(said.stdout, /^FOUND {2}resource d\/r39: its checksum does not match/);
  assert.match(said.stderr, /Continue it with the option --from=d\/r39$/m);
  assert.equal(code, 1);
  const rest = await runCommand(['check', '--jobs', '2', '--from=d/r39'], environment);
  assert.match(rest.stdout, /^FOUND {2}event d\/60: its checksum does not match/);
  assert.match(rest.stdout, /^1 finding\(s\)\./m);
  assert.equal(rest.code, 1);
  await postgres.run(`UPDATE event SET client = '' WHERE client = 'x'`);
  await postgres.run(`UPDATE resource SET checksum = checksum - 1 WHERE project_key = 'd' AND id = 'r39'`);
  const all = await runCommand(['check'], environment);
  assert.deepEqual([all.code, all.stdout], [0, 'All is well.\n']);
});

test('grs check with options that mean nothing: exit code 2', async () => {
  const environment = { DATABASE_URL: postgres.url };
  for (const args of [
    ['--jobs', '0'],
    ['--jobs', 'many'],
    ['--from', 'log:d/x'],
    ['--project', 'd', '--from', 'd'],
  ]) {
    assert.equal((await runCommand(['check', ...args], environment)).code, 2, args.join(' '));
  }
});
