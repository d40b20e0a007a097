import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../tools/prove/wait-until.ts';
import { findViolations, type Operation } from './race-history.ts';
import { createRandom } from './random.ts';
import {
  dataFolder,
  NoAnswer,
  type ProcessAnswer,
  type ProcessRequest,
  type ServiceProcess,
  startService,
} from './service-process.ts';

const updaters = 48;
const readers = 16;
const resources = ['r0', 'r1', 'r2', 'r3'];
const kills = 2;
/** Acknowledged writes of a round; then it goes on for a while. */
const writesOfRound = 50;
const roundMs = 600;

const random = createRandom();
const folder = dataFolder();
let service: ServiceProcess;
let stopped = false;
after(async () => {
  stopped = true;
  service.kill('SIGKILL');
  await service.ended;
  folder.remove();
});

interface Document {
  readonly version: number;
  readonly someProperty: string;
}

const operations: Operation[] = [];
let acknowledged = 0;
const now = () => Number(process.hrtime.bigint());

/** A request that may find the service gone: then what is known of it, after a short while. */
async function attempt(request: ProcessRequest): Promise<ProcessAnswer | 'refused' | 'unknown'> {
  try {
    return await service.request(request);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    await pause(20);
    return error.kind === 'refused' ? 'refused' : 'unknown';
  }
}

async function read(resource: string, token: string): Promise<Document | undefined> {
  const start = now();
  const answer = await attempt({ path: `/race/resource/${resource}`, token });
  if (typeof answer === 'string') return undefined;
  assert.equal(answer.status, 200, answer.text);
  const { version, someProperty: value } = JSON.parse(answer.text) as Document;
  operations.push({ kind: 'read', resource, start, end: now(), version, value, outcome: 'acknowledged' });
  return { version, someProperty: value };
}

async function keepReading(token: string): Promise<void> {
  while (!stopped) await read(random.pick(resources), token);
}

/** Updates in the version that the client saw last; after a conflict, in the one that the response names. */
async function keepUpdating(client: number, token: string): Promise<void> {
  const seen = new Map<string, number>();
  for (let n = 0; !stopped; n += 1) {
    const resource = random.pick(resources);
    const known = seen.get(resource) ?? (await read(resource, token))?.version;
    if (known === undefined) continue;
    const value = `client ${client}, write ${n}`;
    const body = { version: known, actions: [{ action: 'changeSomeProperty', someProperty: value }] };
    const start = now();
    const answer = await attempt({ method: 'POST', path: `/race/resource/${resource}`, token, body });
    const version = known + 1;
    const write = { kind: 'write', resource, start, end: now(), version, value } as const;
    if (typeof answer === 'string') {
      if (answer === 'unknown') operations.push({ ...write, outcome: 'unknown' });
      seen.delete(resource);
      continue;
    }
    assert.ok(answer.status === 200 || answer.status === 409, answer.text);
    const json = JSON.parse(answer.text);
    if (answer.status === 200) {
      assert.deepEqual([json.version, json.someProperty], [version, value]);
      operations.push({ ...write, outcome: 'acknowledged' });
      acknowledged += 1;
    } else assert.ok(json.errors[0].currentVersion > known, answer.text);
    seen.set(resource, answer.status === 200 ? version : json.errors[0].currentVersion);
  }
}

async function createAll(token: string): Promise<void> {
  for (const id of resources) {
    const start = now();
    const body = { id, someProperty: 'created' };
    const { status, text } = await service.request({ method: 'POST', path: '/race/resource', token, body });
    assert.equal(status, 201, text);
    const made = { kind: 'write', resource: id, version: 1, value: 'created', outcome: 'acknowledged' } as const;
    operations.push({ ...made, start, end: now() });
  }
}

test(`${updaters} updaters and ${readers} readers of ${resources.length} resources, ${kills} SIGKILLs: the history is that of one copy`, async (t) => {
  service = await startService(folder.path);
  const token = await service.token('manage_test:race');
  await createAll(token);
  const clients = Promise.allSettled([
    ...Array.from({ length: updaters }, (_, client) => keepUpdating(client, token)),
    ...Array.from({ length: readers }, () => keepReading(token)),
  ]);
  const round = async () => {
    const enough = acknowledged + writesOfRound;
    await waitUntil(() => acknowledged > enough, clients);
    await pause(random.integer(roundMs / 3, roundMs));
  };
  for (let kill = 0; kill < kills; kill += 1) {
    await round();
    const { port } = service;
    service.kill('SIGKILL');
    await service.ended;
    service = await startService(folder.path, { PORT: String(port) });
  }
  await round();
  stopped = true;
  for (const client of await clients) if (client.status === 'rejected') throw client.reason;
  for (const resource of resources) await read(resource, token);
  const count = (kind: string, outcome: string) =>
    operations.filter((operation) => operation.kind === kind && operation.outcome === outcome).length;
  const writes = count('write', 'acknowledged');
  t.diagnostic(
    `seed ${random.seed}: ${writes} writes, ${count('read', 'acknowledged')} reads, ${count('write', 'unknown')} writes without response`,
  );
  assert.deepEqual(findViolations(operations), []);
  assert.ok(writes > 100, `${writes} writes are too few to say anything`);
});
