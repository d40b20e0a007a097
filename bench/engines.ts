/**
 * `npm run bench:engines`: what PostgreSQL with a mirror costs beside the embedded engine. Both are filled with the same resources
 * through the store port by 50 writers, and asked the same queries in turns: at rest, and beside 500 writes a second to each. The server
 * is one of this machine, made for the run. Options: `--resources <count>` instead of 100,000, `--rounds <count>` instead of 3; with
 * `--minutes <n>` nothing is compared: 50 writers create on PostgreSQL for so long, while lists and searches are asked ten times a second each.
 */

import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '../src/contract/json.ts';
import type { Store } from '../src/domain/ports/store.ts';
import { parsePredicate } from '../src/domain/predicate/parse.ts';
import { parseSearch } from '../src/domain/search/query/parse-search.ts';
import { openTestStore as openPostgres, startTestPostgres } from '../test/storage/postgres/start-test-postgres.ts';
import { creation, document, replacement } from '../test/storage/records.ts';
import { openTestStore as openSqlite } from '../test/storage/sqlite/open-test-store.ts';
import { temporaryFolder } from './service.ts';

const { values } = parseArgs({
  options: {
    resources: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '0' },
  },
});
const [count, rounds] = [Number(values.resources), Number(values.rounds)];
const writers = 50;
/** Of a class, in a round. */
const asked = 200;
const writesPerSecond = 500;
const projectKey = 'shop';

const words = 'red blue green shoe shirt hat winter summer leather cotton small large wide fine soft'.split(' ');
const word = (n: number) => words[n % words.length]!;

/** About 600 bytes, texts in two languages. */
function fieldsOf(n: number): JsonObject {
  return {
    ...{
      sku: `sku-${n}`,
      price: n % 997,
      size: n % 40,
      stock: n % 100,
      color: words[n % 3]!,
      brand: `brand ${n % 60}`,
    },
    name: { en: `${word(n)} ${word(n * 7)} model ${n}`, de: `Schuh ${word(n * 3)} Modell ${n}` },
    description: { en: `A ${word(n * 5)} thing of ${word(n * 11)} made for number ${n % 500}` },
    tags: [words[n % 7]!, words[n % 11]!],
  };
}

/** An engine, and what it writes and takes. */
interface Engine {
  readonly name: string;
  readonly store: Store;
  /** Versions of the resources that were updated. */
  readonly versions: Map<number, number>;
}

const listed = { projectKey, sort: [], limit: 20, offset: 0, withTotal: true, staged: false } as const;
const search = (parameters: Readonly<Record<string, string | readonly string[]>>) =>
  parseSearch(new Map(Object.entries(parameters)), projectKey);

/** The queries of each class, by a number. */
const classes: Readonly<Record<string, (store: Store['resources'], n: number) => Promise<unknown>>> = {
  'list, one of 997 prices and a colour': (store, n) => {
    const where = [parsePredicate(`color = "red" and price = ${n % 997}`, { variables: new Map() })];
    return store.list({ ...listed, where });
  },
  'a word': (store, n) => store.search(search({ 'text.en': word(n) })),
  'two words, two facets': (store, n) =>
    store.search(search({ 'text.en': `${word(n)} ${word(n * 7)}`, facet: ['brand', 'size'] })),
  'a beginning': (store, n) => store.search(search({ 'text.en': word(n).slice(0, 3), prefix: 'true' })),
  'facets over everything': (store) => store.search(search({ facet: ['brand', 'size'] })),
};

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Does work on numbers below a count, many at a time, and shows how far it is. */
async function each(what: string, work: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const begunMs = performance.now();
  const one = async () => {
    for (let n = next++; n < count; n = next++) {
      await work(n);
      if (n % 10_000 === 0) process.stderr.write(`\r  ${what}: ${n} of ${count} `);
    }
  };
  await Promise.all(Array.from({ length: writers }, one));
  process.stderr.write('\r');
  return (performance.now() - begunMs) / 1000;
}

async function fill({ name, store }: Engine): Promise<void> {
  const before = process.cpuUsage();
  const seconds = await each(`${name}, creating`, (n) =>
    store.resources.commit(creation(projectKey, document(`id-${n}`, 1, fieldsOf(n)))),
  );
  const { user, system } = process.cpuUsage(before);
  say(
    `${name}: ${Math.round(count / seconds)} creates/s, ${Math.round((user + system) / count)} µs of the CPU of Node each`,
  );
}

/** Updates resources at a rate until `isOver`. Returns how many. */
async function write({ store, versions }: Engine, isOver: () => boolean): Promise<number> {
  const begunMs = performance.now();
  let written = 0;
  const one = async () => {
    while (!isOver()) {
      const dueMs = begunMs + (written * 1000) / writesPerSecond;
      const n = (written++ * 7919) % count;
      if (dueMs > performance.now()) await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
      const version = versions.get(n) ?? 1;
      const [before, after] = [version, version + 1].map((each) =>
        document(`id-${n}`, each, { ...fieldsOf(n), stock: each % 100 }),
      ) as [ReturnType<typeof document>, ReturnType<typeof document>];
      versions.set(n, version + 1);
      await store.resources.commit(replacement(projectKey, before, after));
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return written;
}

/** The middle and the 99th percentile of a class, in ms. */
async function timesOf(store: Store['resources'], ask: (typeof classes)[string], from: number) {
  const times: number[] = [];
  for (let n = from; n < from + asked; n += 1) {
    const begunMs = performance.now();
    await ask(store, n);
    times.push(performance.now() - begunMs);
  }
  times.sort((a, b) => a - b);
  return { p50: times[asked >> 1]!, p99: times[Math.floor(asked * 0.99)]! };
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** Asks both engines every class in turns, and prints a table. */
async function compare(engines: readonly Engine[], beside: boolean): Promise<void> {
  say(
    `\n| ${beside ? `Beside ${writesPerSecond} writes/s` : 'At rest'}, p50 and p99 in ms | ${engines.map(({ name }) => name).join(' | ')} | ratio of p50 |`,
  );
  say(`| --- |${' --- |'.repeat(engines.length + 1)}`);
  for (const [name, ask] of Object.entries(classes)) {
    const found = engines.map(() => [] as { p50: number; p99: number }[]);
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, engine] of engines.entries()) {
        let isOver = false;
        const writing = beside ? write(engine, () => isOver) : undefined;
        found[at]!.push(await timesOf(engine.store.resources, ask, round * asked));
        isOver = true;
        await writing;
      }
    }
    const middle = found.map((times) => ({
      p50: median(times.map(({ p50 }) => p50)),
      p99: median(times.map(({ p99 }) => p99)),
    }));
    const cells = middle.map(({ p50, p99 }) => `${p50.toFixed(2)}, ${p99.toFixed(1)}`);
    say(`| ${name} | ${cells.join(' | ')} | ${(middle[1]!.p50 / middle[0]!.p50).toFixed(2)} |`);
  }
}

/** Creates for some minutes while queries of all classes are asked, and prints a line for each minute. */
async function endure({ store }: Engine, minutes: number): Promise<void> {
  let [created, isOver, failed] = [0, false, 0];
  const times: number[] = [];
  const creating = Array.from({ length: writers }, async () => {
    while (!isOver) {
      const n = created++;
      await store.resources.commit(creation(projectKey, document(`id-${n}`, 1, fieldsOf(n))));
    }
  });
  const asking = Object.values(classes).map(async (ask) => {
    for (let n = 0; !isOver; n += 1) {
      const begunMs = performance.now();
      await ask(store.resources, n).catch(() => {
        failed += 1;
      });
      times.push(performance.now() - begunMs);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  say('| Minute | creates/s | queries | p50, ms | p99, ms | failed |');
  say('| --- | --- | --- | --- | --- | --- |');
  for (let minute = 1; minute <= minutes; minute += 1) {
    const before = created;
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    const sorted = times.splice(0).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(0);
    say(
      `| ${minute} | ${((created - before) / 60).toFixed(0)} | ${sorted.length} | ${at(0.5)} | ${at(0.99)} | ${failed} |`,
    );
  }
  isOver = true;
  await Promise.all([...creating, ...asking]);
}

async function compareAll(): Promise<void> {
  for (const engine of engines) await fill(engine);
  const walBytes = async () => {
    const [row] = await postgres.run<{ bytes: string }>("SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes");
    return Number(row!.bytes);
  };
  const [size] = await postgres.run<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  say(
    `PostgreSQL: ${(Number(size!.bytes) / count).toFixed(0)} bytes on its disk per resource, the log of changes with it`,
  );
  // At rest nothing of the filling is left to do, and each engine has answered every class before.
  await postgres.run('VACUUM ANALYZE');
  await postgres.run('CHECKPOINT');
  for (const { store } of engines) for (const ask of Object.values(classes)) await timesOf(store.resources, ask, 0);
  await compare(engines, false);
  const [before, begunWal] = [engines[1]!.versions.size, await walBytes()];
  await compare(engines, true);
  const updates = [...engines[1]!.versions.values()].reduce((sum, version) => sum + version - 1, 0) - before;
  say(`\nPostgreSQL: ${(((await walBytes()) - begunWal) / updates) | 0} bytes of WAL per update`);
}

const folder = temporaryFolder();
const postgres = await startTestPostgres();
// As operators are advised (docs/scaling.md).
await postgres.run('ALTER DATABASE postgres SET wal_compression = on');
const engines: readonly Engine[] = [
  { name: 'embedded', store: await openSqlite(join(folder.path, 'grs.db')), versions: new Map() },
  { name: 'PostgreSQL', store: await openPostgres(postgres, { connections: 16 }), versions: new Map() },
];
try {
  say(`${count} resources, Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}\n`);
  if (Number(values.minutes) > 0) await endure(engines[1]!, Number(values.minutes));
  else await compareAll();
} finally {
  for (const { store } of engines) await store.close();
  await postgres.close();
  folder.remove();
}
