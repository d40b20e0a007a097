import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../tools/prove/wait-until.ts';
import { createRandom } from './random.ts';
import { dataFolder, NoAnswer, runCommand, type ServiceProcess, startService } from './service-process.ts';

const cycles = 3;
const writers = 12;
const random = createRandom();
const folder = dataFolder();
let service: ServiceProcess | undefined;
after(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
  folder.remove();
});

/** What was acknowledged: the word by which each resource must be found. Where no response came, there is none. */
interface Told {
  readonly words: Map<string, string>;
  readonly deleted: Map<string, string>;
}

/** Words that no rule for endings touches, and that are no typos of each other. */
function wordOf(writer: number, n: number, kind: 'made' | 'changed'): string {
  // No such word is the beginning of another: the last word of a search may be one.
  return `${kind}${writer}x${n}e`;
}

/** Creates, changes and deletes resources with text until the service is gone. */
async function write({ request }: ServiceProcess, writer: number, token: string, told: Told): Promise<void> {
  const path = '/shop/resource';
  for (let n = 0; ; n += 1) {
    const id = `w${writer}-${n}`;
    const [made, changed] = [wordOf(writer, n, 'made'), wordOf(writer, n, 'changed')];
    // One in four is large enough to be divided into words by a thread.
    const text = `${made} common ${'filling words '.repeat(n % 4 === 0 ? 2000 : 3)}`;
    const created = await request({ method: 'POST', path, token, body: { id, name: { en: text }, kind: `k${n % 3}` } });
    assert.equal(created.status, 201, created.text);
    told.words.set(id, made);
    if (n % 2 === 0) continue;
    told.words.delete(id);
    const actions = [{ action: 'setField', path: 'name.en', value: `${changed} common` }];
    const updated = await request({ method: 'POST', path: `${path}/${id}`, token, body: { version: 1, actions } });
    assert.equal(updated.status, 200, updated.text);
    told.words.set(id, changed);
    if (n % 3 !== 0) continue;
    told.words.delete(id);
    const gone = await request({ method: 'DELETE', path: `${path}/${id}`, token });
    assert.equal(gone.status, 200, gone.text);
    told.deleted.set(id, changed);
  }
}

async function search(token: string, query: string) {
  const { status, text } = await service!.request({ path: `/shop/resource/searchApiPattern?${query}`, token });
  assert.equal(status, 200, text);
  return JSON.parse(text) as {
    total: number;
    results: readonly { id: string }[];
    facets?: Record<string, { total: number; terms: readonly { count: number }[] }>;
  };
}

const idsBy = async (token: string, word: string) =>
  (await search(token, `text.en=${word}`)).results.map(({ id }) => id);

/** Every acknowledged word finds its resource and only it; no word of a deleted resource finds anything. */
async function compare(token: string, { words, deleted }: Told): Promise<void> {
  const seed = `seed ${random.seed}`;
  for (const [id, word] of words) assert.deepEqual(await idsBy(token, word), [id], `${word}, ${seed}`);
  for (const [id, word] of deleted) {
    assert.deepEqual(await idsBy(token, word), [], `${id}, deleted, by ${word}, ${seed}`);
    assert.equal((await service!.request({ path: `/shop/resource/${id}`, token })).status, 404);
  }
}

/** Totals and facets count what was acknowledged, and at most one unacknowledged resource of each writer. */
async function compareCounts(token: string, acknowledged: number): Promise<void> {
  const { total, facets } = await search(token, 'text.en=common&facet=kind&limit=0');
  const most = acknowledged + cycles * writers;
  assert.ok(total >= acknowledged && total <= most, `${total} of ${acknowledged}, seed ${random.seed}`);
  assert.equal(
    facets!.kind!.terms.reduce((sum, { count }) => sum + count, 0),
    total,
  );
}

test(`SIGKILL in the middle of ${writers} writers of texts, ${cycles} times: searches find what was acknowledged and nothing that was deleted`, async (t) => {
  service = await startService(folder.path);
  const token = await service.token('manage_test:shop');
  const all = Array.from({ length: writers }, (): Told => ({ words: new Map(), deleted: new Map() }));
  const found = () => all.reduce((sum, { words }) => sum + words.size, 0);
  const gone = () => all.reduce((sum, { deleted }) => sum + deleted.size, 0);
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const enough = found() + 2 * writers;
    const running = service!;
    const ends = Promise.allSettled(all.map((told, writer) => write(running, 100 * cycle + writer, token, told)));
    await waitUntil(() => found() > enough && gone() > 0, ends);
    await pause(random.integer(0, 500));
    // Searches fill the caches that follow the commits; the next process begins without them.
    await search(token, 'text.en=comon&fuzzy=true&facet=kind').catch((error: unknown) =>
      assert.ok(error instanceof NoAnswer),
    );
    running.kill('SIGKILL');
    for (const result of await ends) {
      assert.ok(result.status === 'rejected' && result.reason instanceof NoAnswer, JSON.stringify(result));
    }
    await running.ended;
    service = await startService(folder.path);
  }
  for (const told of all) await compare(token, told);
  await compareCounts(token, found());
  const check = await runCommand(['check'], { DATA_DIR: folder.path });
  assert.deepEqual([check.code, check.stdout.trim()], [0, 'All is well.'], check.stderr);
  t.diagnostic(`seed ${random.seed}: ${found()} resources found by their words, ${gone()} deleted ones by none`);
  assert.ok(found() > writers && gone() > 0, `${found()} and ${gone()} are too few to say anything`);
});
