/**
 * `npm run bench:cursors`: what a page costs on the way to the end of a large project. Fills the service with 1,000,000
 * resources of 1 KB by imports, with something staged in each hundredth, then walks lists (E1, E12) and searches (E4, sorted
 * and by relevance) by cursor, of both projections, over HTTP. Of each walk it prints the processor time of the service and
 * the elapsed time of a page: at the beginning, in the middle and at the end, each the mean of a tenth of the pages. Fails
 * where something is skipped or met twice. Progress goes to standard error. Options: --count <resources>.
 */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { draft } from './documents.ts';
import { importLines } from './import-lines.ts';
import { fetchToken, peakMb, startService, temporaryFolder } from './service.ts';

const { values } = parseArgs({ options: { count: { type: 'string', default: '1000000' } } });
const count = Number(values.count);
const project = 'cursors';
const begunMs = performance.now();

function note(text: string): void {
  const seconds = Math.round((performance.now() - begunMs) / 1000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`);
}

/** A word of eight letters that no typo of another one is. */
const groupWord = (n: number) =>
  hash('sha256', `group ${n}`)
    .slice(0, 8)
    .replace(/./g, (digit) => String.fromCharCode(0x62 + Number.parseInt(digit, 16)));

/** A tenth of the resources has each `tenth`, a hundredth each word of a group. */
const documentAt = (n: number) => ({ ...draft(n, `r-${n}`), tenth: n % 10, group: { en: groupWord(n % 100) } });

/** A walk, with the number of resources that it must meet. Where that is undefined it is 20 pages long. */
interface Walk {
  readonly name: string;
  readonly path: string;
  readonly limit: number;
  readonly expected?: number;
}

const list = 'resource?';
const sorted = 'resource/sorted-query-parameters?';
const search = 'resource/searchApiPattern?';
const projections: readonly (readonly [name: string, parameter: string])[] = [
  ['', ''],
  [', staged', '&staged=true'],
];

const walks: readonly Walk[] = projections.flatMap(([name, staged]) => [
  { name: `E1, all${name}`, path: `${list}${staged}`, limit: 500, expected: count },
  { name: `E1, a tenth${name}`, path: `${list}where=tenth%3D3${staged}`, limit: 100, expected: count / 10 },
  {
    name: `E12, all, the newest first${name}`,
    path: `${sorted}sort=createdAt%20desc${staged}`,
    limit: 500,
    expected: count,
  },
  {
    name: `E12, a tenth by key${name}`,
    path: `${sorted}where=tenth%3D3&sort=key%20asc${staged}`,
    limit: 100,
    expected: count / 10,
  },
  {
    name: `E4, a hundredth by relevance${name}`,
    path: `${search}text.en=${groupWord(7)}${staged}`,
    limit: 100,
    expected: count / 100,
  },
  {
    name: `E4, a hundredth by price${name}`,
    path: `${search}text.en=${groupWord(7)}&sort=price.centAmount%20asc${staged}`,
    limit: 100,
    expected: count / 100,
  },
  { name: `E4, all by relevance${name}`, path: `${search}text.en=shirt${staged}`, limit: 100 },
  { name: `E4, all by price${name}`, path: `${search}text.en=shirt&sort=price.centAmount%20asc${staged}`, limit: 100 },
]);

/** Pages of a walk that is not to the end. */
const somePages = 20;

const folder = temporaryFolder();
// A search for the word of all resources takes long at 1,000,000.
const service = await startService(folder.path, { QUERY_TIMEOUT_MS: '60000', TOKEN_LIFETIME_SECONDS: '7200' });
const token = await fetchToken(service.port, `manage_project:${project}`);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

async function send(method: string, path: string, body?: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const sent = request({ port: service.port, host: '127.0.0.1', agent, method, path: `/${project}/${path}`, headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 500)}`);
  return text;
}

/** ms that all threads of the service have run. */
function ranMs(): number {
  const tasks = `/proc/${service.process.pid}/task`;
  let ns = 0;
  for (const task of readdirSync(tasks)) {
    try {
      ns += Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // The thread has just ended.
    }
  }
  return ns / 1e6;
}

/** Resources of one request: an import that is cut off at its end says how far it came. */
const portion = 50_000;

async function fill(): Promise<void> {
  for (let from = 0; from < count; from += portion) {
    const some = Math.min(portion, count - from);
    await importLines({ port: service.port }, { project, token }, (n) => documentAt(from + n), some);
    const perSecond = Math.round((from + some) / ((performance.now() - begunMs) / 1000));
    note(`imported ${(from + some).toLocaleString('en')}, ${perSecond}/s`);
  }
}

/** Stages a change in each hundredth resource. */
async function stage(): Promise<void> {
  const actions = [{ action: 'setField', path: 'colour', value: 'staged', staged: true }];
  for (let from = 0; from < count; from += 50_000) {
    const keys = Array.from(
      { length: Math.ceil(Math.min(50_000, count - from) / 100) },
      (_, n) => `r-${from + n * 100}`,
    );
    const operations = keys.map((key) => ({ operation: 'update', key, version: 1, actions }));
    await send('POST', 'resource/batch?resources=false', JSON.stringify({ operations }));
  }
  note('staged changes in each hundredth');
}

interface Page {
  readonly count: number;
  readonly next?: string;
  readonly results: readonly { readonly id: string }[];
}

interface Cost {
  readonly ranMs: number;
  readonly ms: number;
}

/** Reads pages to the end, or up to a limit; returns the cost of each. */
async function walk({ name, path, limit, expected }: Walk): Promise<readonly Cost[]> {
  const costs: Cost[] = [];
  const met = new Set<string>();
  let notedMs = performance.now();
  for (
    let cursor: string | undefined;
    costs.length < (expected === undefined ? somePages : Number.POSITIVE_INFINITY);
  ) {
    const query = `${path}&fields=key&limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const before = [ranMs(), performance.now()] as const;
    const { results, next } = JSON.parse(await send('GET', query)) as Page;
    costs.push({ ranMs: ranMs() - before[0], ms: performance.now() - before[1] });
    for (const { id } of results) met.add(id);
    const read = (costs.length - 1) * limit + results.length;
    if (met.size !== read) throw new Error(`${name}: something was met twice among ${read}`);
    if (performance.now() - notedMs > 5000) {
      notedMs = performance.now();
      note(
        `${name}: ${read.toLocaleString('en')}${expected === undefined ? '' : ` of ${expected.toLocaleString('en')}`}`,
      );
    }
    if (next === undefined) break;
    cursor = next;
  }
  if (expected !== undefined && met.size !== expected) throw new Error(`${name}: met ${met.size} of ${expected}`);
  return costs;
}

const mean = (costs: readonly Cost[], of: keyof Cost) =>
  costs.reduce((sum, cost) => sum + cost[of], 0) / Math.max(1, costs.length);

/** The beginning without the first page, which counts as well; the middle; and the end. */
function thirdsOf(costs: readonly Cost[]): readonly (readonly Cost[])[] {
  const length = Math.max(1, Math.floor(costs.length / 10));
  const middle = Math.floor(costs.length / 2);
  return [costs.slice(1, 1 + length), costs.slice(middle, middle + length), costs.slice(-length)];
}

try {
  await fill();
  await stage();
  const shown = (costs: readonly Cost[]) => `${mean(costs, 'ranMs').toFixed(1)} (${mean(costs, 'ms').toFixed(1)})`;
  console.log(`${count.toLocaleString('en')} resources. Processor ms (elapsed ms) of a page:`);
  console.log('| walk | pages | first page | beginning | middle | end |\n| --- | --- | --- | --- | --- | --- |');
  for (const each of walks) {
    const costs = await walk(each);
    const places = [costs.slice(0, 1), ...thirdsOf(costs)].map(shown).join(' | ');
    const length = each.expected === undefined ? `the first ${costs.length}` : String(costs.length);
    console.log(`| ${each.name} | ${length} of ${each.limit} | ${places} |`);
  }
  const seconds = Math.round((performance.now() - begunMs) / 1000);
  console.log(`Nothing was skipped or met twice. ${seconds} s, peak memory ${peakMb(service)} MB.`);
} finally {
  agent.destroy();
  await service.stop();
  folder.remove();
}
