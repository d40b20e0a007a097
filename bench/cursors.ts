/**
 * `node bench/cursors.ts`: what a page costs on the way to the end of a large project. Fills an embedded store with
 * 1,000,000 resources of 1 KB, walks whole lists by cursor in several orders, and prints for each tenth of the way the
 * processor time and the elapsed time of a page. Options: --count <resources>, --limit <resources of a page>.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '../src/contract/json.ts';
import { parseSort } from '../src/domain/paging.ts';
import type { ListQuery, Position } from '../src/domain/ports/list-query.ts';
import type { Change } from '../src/domain/ports/resource-store.ts';
import type { Store } from '../src/domain/ports/store.ts';
import { parsePredicate } from '../src/domain/predicate/parse.ts';
import { openSqliteStore } from '../src/storage/sqlite/store.ts';
import { noStoreMetrics } from '../src/telemetry/store-metrics.ts';
import { draft } from './documents.ts';
import { temporaryFolder } from './service.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000000' }, limit: { type: 'string', default: '100' } },
});
const count = Number(values.count);
const limit = Number(values.limit);
const projectKey = 'cursors';

function creationOf(n: number): Change {
  const at = new Date(1_760_000_000_000 + n).toISOString();
  const id = `01a1f981-${n.toString(16).padStart(12, '0')}`;
  const system = { id, version: 1, key: `r-${n}`, createdAt: at, lastModifiedAt: at };
  // A tenth of the resources has each of the values.
  const current: JsonObject = { ...system, ...(draft(n, `r-${n}`) as JsonObject), tenth: n % 10 };
  const instant = at.slice(0, -1);
  const times = { createdAt: instant, lastModifiedAt: instant };
  const next = { projectKey, id, key: `r-${n}`, version: 1, ...times, current: JSON.stringify(current) };
  return { kind: 'create', next: { ...next, staged: undefined, history: [] }, after: { current } };
}

async function fill(store: Store): Promise<void> {
  let next = 0;
  const write = async () => {
    while (next < count) {
      const from = next;
      next = Math.min(count, next + 200);
      await store.resources.commitAll(Array.from({ length: next - from }, (_, i) => creationOf(from + i)));
      if (from % 50_000 === 0) console.error(`filled ${from.toLocaleString('en')}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, write));
}

const lists: readonly (readonly [name: string, where: string | undefined, sort: string | undefined])[] = [
  ['all, by id', undefined, 'id asc'],
  ['all, the newest first', undefined, 'createdAt desc'],
  ['a tenth (an index term), no sort', 'tenth = 3', undefined],
  ['a tenth, by key', 'tenth = 3', 'key asc'],
];

interface Tenth {
  pages: number;
  cpuMs: number;
  ms: number;
}

async function walk(store: Store, where: string | undefined, sort: string | undefined): Promise<readonly Tenth[]> {
  const base: ListQuery = {
    ...{ projectKey, where: where ? [parsePredicate(where, { variables: new Map() })] : [] },
    ...{ sort: sort ? [parseSort(sort)] : [], limit, offset: 0, withTotal: false, staged: false },
  };
  const expected = where ? count / 10 : count;
  const tenths = Array.from({ length: 10 }, () => ({ pages: 0, cpuMs: 0, ms: 0 }));
  let met = 0;
  for (let after: Position | undefined; ; ) {
    const begunMs = performance.now();
    const before = process.cpuUsage();
    const page = await store.resources.list({ ...base, after });
    const { user, system } = process.cpuUsage(before);
    const tenth = tenths[Math.min(9, Math.floor((10 * met) / expected))]!;
    tenth.pages += 1;
    tenth.cpuMs += (user + system) / 1000;
    tenth.ms += performance.now() - begunMs;
    met += page.count;
    if (!page.next) break;
    after = page.next;
  }
  if (met !== expected) throw new Error(`${met} of ${expected} resources`);
  return tenths;
}

const folder = temporaryFolder();
try {
  const store = await openSqliteStore({
    ...{ file: join(folder.path, 'grs.db'), access: 'exclusive', acceptLoss: false, declaredPaths: [] },
    ...{ readThreads: 2, searchThreads: 2, cacheBytes: 16_000_000, maxPageBytes: 64_000_000, queryTimeoutMs: 600_000 },
    ...{ metrics: noStoreMetrics, note: () => {}, onFatal: () => {}, keepsHistory: false },
  });
  await fill(store);
  for (const [name, where, sort] of lists) {
    const tenths = await walk(store, where, sort);
    const of = (pick: (tenth: Tenth) => number) =>
      tenths.map((tenth) => (pick(tenth) / tenth.pages).toFixed(2)).join(' ');
    console.log(`${name}: ${tenths.reduce((sum, { pages }) => sum + pages, 0)} pages of ${limit}`);
    console.log(`  processor ms per page: ${of(({ cpuMs }) => cpuMs)}`);
    console.log(`  elapsed ms per page:   ${of(({ ms }) => ms)}`);
  }
  await store.close();
} finally {
  folder.remove();
}
