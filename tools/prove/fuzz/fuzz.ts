import { readFileSync } from 'node:fs';
import { nodeArgsOf } from '../controls.ts';
import type { Proof, ProofRun, Verdict } from '../proof.ts';
import type { Random } from '../random.ts';
import { dataFolder, runCommand, type ServiceProcess, startService } from '../service-process.ts';
import { exchange } from './connection.ts';
import { changesFraming, encodeRequest, type FuzzRequest, mutate, mutateBytes } from './mutate.ts';

/** Many, since a part of them waits for a while whether the service takes half a request for a whole one. */
const connections = 64;
/** Requests to one service; then it is stopped and its store checked. */
const requestsOfService = 100_000;

const resource = ['fuzz', 'resource'] as const;
const common = { query: [], headers: [], body: undefined } as const;
const document = {
  ...{ id: 'r1', key: 'k1', someProperty: 'text', name: { en: 'red shoe', de: 'roter Schuh' }, stock: 5 },
  ...{ price: 12.5, tags: ['a', 'b'], place: { lat: 52.5, lon: 13.4 }, at: '2026-01-01T00:00:00.000Z' },
};

/** Requests that are right, which the mutations begin with. */
const seeds: readonly FuzzRequest[] = [
  { ...common, method: 'POST', path: resource, body: document },
  { ...common, method: 'PUT', path: resource, body: document },
  { ...common, method: 'PATCH', path: resource, body: document },
  { ...common, method: 'GET', path: [...resource, 'r1'], headers: [['If-None-Match', '"1-a"']] },
  { ...common, method: 'HEAD', path: resource, query: [['where', 'stock > 3']] },
  { ...common, method: 'GET', path: [...resource, 'key=k1'], query: [['expand', 'parent']] },
  {
    ...{ ...common, method: 'POST', path: [...resource, 'r1'] },
    body: {
      version: 1,
      actions: [
        { action: 'setField', path: 'stock', value: 3 },
        { action: 'renameField', path: 'name.en', newName: 'title' },
        { action: 'changeSomeProperty', someProperty: 'x' },
        { action: 'publish' },
      ],
    },
  },
  { ...common, method: 'DELETE', path: [...resource, 'r1'], query: [['version', '1']] },
  {
    ...{ ...common, method: 'GET', path: [...resource, 'sorted-query-parameters'] },
    query: [
      ['where', 'stock = 5 and (name.en = "red shoe" or tags contains any ("a"))'],
      ['sort', 'price desc'],
      ['limit', '5'],
      ['offset', '0'],
      ['var.v', '1'],
    ],
  },
  {
    ...{ ...common, method: 'GET', path: [...resource, 'searchApiPattern'] },
    query: [
      ['text.en', 'red shoe'],
      ['facet', 'stock:range(* to 5),(5 to *)'],
      ['filter.query', 'price:range(1 to 20)'],
      ['fuzzy', 'true'],
    ],
  },
  { ...common, method: 'GET', path: [...resource, 'namespace-action'] },
  { ...common, method: 'POST', path: [...resource, 'namespace-action'], body: { action: 'addLineItem', sku: 's' } },
  { ...common, method: 'PUT', path: [...resource, 'json-serializable-primitive-type'], body: { a: [1, 'x', null] } },
  {
    ...{ ...common, method: 'POST' },
    path: [...resource, 'artificially-complex', 'path', 'uri-parameter-one=a', 'b'],
    body: { version: '1', actions: [] },
  },
  { ...common, method: 'GET', path: [...resource, 'images'], query: [['sku', 's']] },
  { ...common, method: 'GET', path: ['fuzz', 'images', 'a.png'], headers: [['Range', 'bytes=0-5']] },
  { ...common, method: 'GET', path: ['fuzz', 'api-clients'] },
  { ...common, method: 'GET', path: ['health', 'ready'] },
];

/** What is wrong with the responses to one request; undefined where nothing is. */
function problemOf(text: string): string | undefined {
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
  const bad = statuses.find((status) => status >= 500 && status !== 501 && status !== 503);
  if (bad !== undefined) return `${bad}`;
  if (text !== '' && statuses.length === 0) return 'no status line';
  return /\bat [^\n]*\.(ts|js):\d+|node_modules|SQLITE_/.test(text) ? 'internals in the response' : undefined;
}

interface Tally {
  readonly violations: string[];
  readonly figures: { requests: number; succeeded: number; refused: number; unavailable: number; closed: number };
}

async function sendOne(port: number, token: string, random: Random, tally: Tally): Promise<void> {
  const request = mutate(random.pick(seeds), random);
  const encoded = encodeRequest(request, token, random);
  const bytes = random.next() < 0.25 ? mutateBytes(encoded, random) : encoded;
  const isWhole = bytes === encoded && !changesFraming(request);
  const { text, isSilent } = await exchange(port, bytes, isWhole);
  const { figures, violations } = tally;
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
  figures.requests += 1;
  if (status === 0) figures.closed += 1;
  else if (status < 400) figures.succeeded += 1;
  else if (status === 503) figures.unavailable += 1;
  else figures.refused += 1;
  const problem = isSilent ? 'no response within 60 s' : problemOf(text);
  if (problem === undefined) return;
  const shown = bytes.toString('latin1').replace(token, '<token>');
  violations.push(`failed: ${problem}: ${JSON.stringify(shown.slice(0, 1500))}: ${JSON.stringify(text.slice(0, 300))}`);
}

/** The resource of another project, which no request of the fuzzing may change. */
async function witness(
  { request }: ServiceProcess,
  token: string,
  method: 'GET' | 'POST',
  id: string,
): Promise<string> {
  const path = method === 'POST' ? '/witness/resource' : `/witness/resource/${id}`;
  const body = method === 'POST' ? { id, someProperty: 'as it was' } : undefined;
  return (await request({ method, path, token, body })).text;
}

/** Resident memory in MB; 0 where the system does not tell. */
function residentMb(pid: number): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
  } catch {
    return 0;
  }
}

async function proveService(count: number, run: ProofRun, tally: Tally): Promise<number> {
  const folder = dataFolder();
  let isKept = false;
  const database = run.database === undefined ? {} : { DATABASE_URL: run.database };
  const deadlines = { REQUEST_TIMEOUT_MS: '5000' };
  const settings = { ...database, API_RATE_PER_SECOND: '0', ...deadlines };
  try {
    const service = await startService(folder.path, settings, { nodeArgs: nodeArgsOf(run.build) });
    const [token, other] = [await service.token('manage_project:fuzz'), await service.token('manage_project:witness')];
    // A database may have those of earlier services.
    const id = `${run.name}-${tally.figures.requests}`;
    const before = await witness(service, other, 'POST', id);
    let left = count;
    const work = async () => {
      for (; left > 0 && !run.isEnough(tally.violations); run.progress(tally.figures.requests)) {
        left -= 1;
        await sendOne(service.port, token, run.random, tally);
      }
    };
    await Promise.race([
      Promise.all(Array.from({ length: connections }, work)),
      service.ended.then(({ code, stderr }) => Promise.reject(new Error(`the service ended: ${code} ${stderr}`))),
    ]);
    const memory = residentMb(service.pid);
    if ((await witness(service, other, 'GET', id)) !== before)
      tally.violations.push('isolation: the witness has changed');
    service.kill('SIGTERM');
    const { code } = await service.ended;
    if (code !== 0) tally.violations.push(`stop: exit code ${code} after SIGTERM`);
    const check = await runCommand(['check'], { ...database, DATA_DIR: folder.path });
    isKept = check.code !== 0;
    if (isKept) tally.violations.push(`check: ${check.stdout}${check.stderr}The store is kept in ${folder.path}`);
    return memory;
  } catch (error) {
    tally.violations.push(`start: ${error instanceof Error ? error.message : String(error)}`);
    return 0;
  } finally {
    if (!isKept) folder.remove();
  }
}

async function prove(run: ProofRun): Promise<Verdict> {
  const tally: Tally = {
    violations: [],
    figures: { requests: 0, succeeded: 0, refused: 0, unavailable: 0, closed: 0 },
  };
  let residentMbAtMost = 0;
  for (let done = 0; done < run.size && !run.isEnough(tally.violations); done += requestsOfService) {
    const memory = await proveService(Math.min(requestsOfService, run.size - done), run, tally);
    residentMbAtMost = Math.max(residentMbAtMost, memory);
  }
  return { violations: tally.violations, figures: { ...tally.figures, residentMbAtMost } };
}

export const fuzz: Proof = {
  claim:
    'A malformed request never gets a 5xx other than 501 and 503, never hangs, and never shows internals. It never reaches another project, ends the service or damages the store.',
  unit: 'requests',
  size: 11_000_000,
  takesDatabase: true,
  controls: [{ build: 'trusts-bodies', size: 1500, kind: /^failed: 500/ }],
  prove,
};
