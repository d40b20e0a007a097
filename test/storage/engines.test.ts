import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StoreRefused } from '../../src/record/engine.ts';
import { engineOf, engines } from '../../src/store/engines.ts';

/** What docs/engines.md says that every engine owes, as far as it can be seen without running the engine. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const suites = globSync('*.suite.ts', { cwd: join(root, 'test/storage') });

const addresses = ['sqlite:/srv/canary/grs.db', 'postgres://user:canary@db1:5432,db2/grs', 'postgresql://db1/grs'];
const noAddresses = ['', 'sqlite:', 'sqlite', 'postgres:x', 'postgres://', 'mysql://h/canary', '/srv/grs.db'];

test('an address has one engine, and a text that is no address has none', () => {
  for (const address of addresses)
    assert.equal(engines.filter(({ isAddress }) => isAddress(address)).length, 1, address);
  for (const text of noAddresses) {
    assert.ok(!engines.some(({ isAddress }) => isAddress(text)), text);
    assert.throws(
      () => engineOf(text),
      (error: Error) => error instanceof StoreRefused && !error.message.includes('canary'),
    );
  }
});

test('an engine says where a store is without credentials', () => {
  const described = addresses.map((address) => engineOf(address).describe(address));
  assert.deepEqual(described, ['/srv/canary/grs.db', 'db1:5432, db2', 'db1']);
});

for (const { id, queues } of engines) {
  test(`${id}: the folders of an engine have what an engine owes`, () => {
    const owed = [
      ...['engine.ts', 'store.ts', 'resource-store.ts'].map((file) => `src/store/${id}/${file}`),
      ...['client-store.ts', 'change-log.ts'].map((file) => `src/record/${id}/${file}`),
      ...suites.map((file) => `test/storage/${id}/${file.replace('.suite.', '.test.')}`),
      `bench/${id}/run.ts`,
    ];
    assert.deepEqual(
      owed.filter((file) => !existsSync(join(root, file))),
      [],
    );
    assert.ok(globSync('[0-9][0-9][0-9]_*.sql', { cwd: join(root, `src/record/${id}/migrations`) }).length > 0);
  });

  test(`${id}: its code is loaded when a store is opened, not with the table of engines`, () => {
    const loaded = loadedWith(`src/store/${id}/engine.ts`);
    assert.ok(!loaded.includes(`src/store/${id}/store.ts`), loaded.join(' '));
    assert.deepEqual(
      loaded.filter((name) => !name.startsWith('src/') && !/^node:(?:fs|path|url)$/.test(name)),
      [],
    );
  });

  test(`${id}: every kind of query has a queue in the metrics`, () => {
    // An engine may read its log of changes in a queue as well.
    const kinds = new Set(Object.values(queues).flat());
    kinds.delete('changes');
    assert.deepEqual([...kinds].sort(), ['exists', 'list', 'search']);
  });
}

test('no file outside of an engine imports one, but the table of engines', () => {
  const ids = engines.map(({ id }) => id).join('|');
  const folders = new RegExp(`from '[^']*(?:record|store)/(?:${ids})/`);
  const inside = new RegExp(`^src/(?:record|store)/(?:${ids})/`);
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !inside.test(file));
  assert.deepEqual(
    files.filter((file) => folders.test(read(file))),
    [],
  );
});

test('docs/engines.md names every member of an engine, and every suite', () => {
  const page = read('docs/engines.md');
  const members = engines.flatMap((engine) => Object.keys(engine));
  assert.deepEqual(
    [...members, ...suites].filter((name) => !page.includes(name)),
    [],
  );
});

/** A file and all that it imports at once, directly or not. */
function loadedWith(file: string, known: string[] = []): readonly string[] {
  if (known.includes(file)) return known;
  known.push(file);
  if (!file.startsWith('src/')) return known;
  for (const [, target] of read(file).matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)';$/gm))
    loadedWith(target!.startsWith('.') ? join(dirname(file), target!) : target!, known);
  return known;
}
