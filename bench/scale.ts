/**
 * `npm run bench:scale`: how lists and the start grow with the store. Fills an embedded store with 10,000 and with
 * 1,000,000 resources (about three minutes), sends both the same queries with the same number of matches, and starts
 * the service on each. Option: --large <count> instead of 1,000,000.
 */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '../src/contract/json.ts';
import { parseSort } from '../src/domain/paging.ts';
import type { ListQuery } from '../src/domain/ports/list-query.ts';
import type { Store } from '../src/domain/ports/store.ts';
import { parsePredicate } from '../src/domain/predicate/parse.ts';
import { checkStorable } from '../src/domain/resource/resource.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { noStoreMetrics } from '../test/storage/no-store-metrics.ts';
import { draft } from './documents.ts';
import { startService, temporaryFolder } from './service.ts';

const { values } = parseArgs({ options: { large: { type: 'string', default: '1000000' } } });
const small = 10_000;
const large = Number(values.large);
const writers = 200;

/** The same 1,000 resources match in every store, however large it is. */
function documentOf(n: number): JsonObject {
  const at = new Date(1_760_000_000_000 + n).toISOString();
  return {
    id: `01a1f981-${n.toString(16).padStart(12, '0')}`,
    version: 1,
    key: `r-${n}`,
    createdAt: at,
    lastModifiedAt: at,
    ...(draft(n, `r-${n}`) as JsonObject),
    campaign: n < 1000 ? 'spring' : `none-${n % 7}`,
  };
}

async function fill(store: Store, count: number): Promise<void> {
  let next = 0;
  const write = async () => {
    for (let n = next++; n < count; n = next++) {
      const current = documentOf(n);
      const instant = String(current.createdAt).slice(0, -1);
      const record = { projectKey: 'scale', id: String(current.id), key: `r-${n}`, version: 1, staged: undefined };
      const texts = {
        createdAt: instant,
        lastModifiedAt: instant,
        current: JSON.stringify(current),
        history: '',
      };
      await store.resources.commit({
        kind: 'create',
        next: checkStorable({ ...record, ...texts }, [current], { current }),
        after: { current },
      });
      if (n % 100_000 === 0)
        process.stdout.write(`\r  filled ${n.toLocaleString('en')} of ${count.toLocaleString('en')}`);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  process.stdout.write('\n');
}

const questions: readonly (readonly [name: string, where: string, sort?: string])[] = [
  ['equality, 1,000 matches', 'campaign = "spring"'],
  ['equality, sorted by id', 'campaign = "spring"', 'id asc'],
  ['equality and a range', 'campaign = "spring" and weightGrams > 300'],
  ['range on a system field, 20 newest', 'createdAt >= "2025-10-09T00:00:00Z"', 'createdAt desc'],
  ['frequent value, first page', 'arrayOfIntExample contains any (6)'],
];

async function p50Of(store: Store, where: string, sort: string | undefined, withTotal: boolean): Promise<number> {
  const query: ListQuery = {
    ...{ projectKey: 'scale', where: [parsePredicate(where, { variables: new Map() })], withTotal, staged: false },
    ...{ sort: sort === undefined ? [] : [parseSort(sort)], limit: 20, offset: 0 },
  };
  const times: number[] = [];
  for (let n = 0; n < 60; n += 1) {
    const begun = performance.now();
    // A copy: pages are cached by the query object, and this measures reading them.
    await store.resources.list({ ...query });
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[30] ?? 0;
}

interface Measured {
  readonly pages: readonly (readonly [total: number, page: number])[];
  readonly startMs: number;
}

async function measure(count: number): Promise<Measured> {
  const folder = temporaryFolder();
  try {
    const store = await openSqliteStore({
      ...{ file: join(folder.path, 'grs.db'), access: 'exclusive', declaredPaths: [], acceptLoss: false },
      ...{
        maxPageBytes: 8_388_608,
        queryTimeoutMs: 20_000,
        keepsHistory: true,
      },
      ...{ metrics: noStoreMetrics, note: () => {}, onFatal: () => {} },
    });
    await fill(store, count);
    const pages: (readonly [number, number])[] = [];
    for (const [, where, sort] of questions) {
      pages.push([await p50Of(store, where, sort, true), await p50Of(store, where, sort, false)]);
    }
    await store.close();
    const starts: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const service = await startService(folder.path);
      starts.push(service.startMs);
      await service.stop();
    }
    return { pages, startMs: Math.min(...starts) };
  } finally {
    folder.remove();
  }
}

const few = await measure(small);
const many = await measure(large);
const cell = (ms: number) => ms.toFixed(2);
process.stdout.write(
  `| p50 in ms | ${small.toLocaleString('en')} | ${large.toLocaleString('en')} | ratio |\n|---|---|---|---|\n`,
);
for (const [at, [name]] of questions.entries()) {
  for (const [which, label] of [
    [0, 'with total'],
    [1, 'without'],
  ] as const) {
    const [a, b] = [few.pages[at]?.[which] ?? 0, many.pages[at]?.[which] ?? 0];
    process.stdout.write(`| ${name}, ${label} | ${cell(a)} | ${cell(b)} | ${(b / a).toFixed(1)} |\n`);
  }
}
process.stdout.write(`| first answer after the start (best of 3) | ${cell(few.startMs)} | ${cell(many.startMs)} | |\n`);
