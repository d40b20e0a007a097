import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findViolations, type Operation } from '../../faults/race-history.ts';
import { createRandom } from '../../faults/random.ts';
import {
  dataFolder,
  NoAnswer,
  type ProcessAnswer,
  type ProcessRequest,
  type ServiceProcess,
  startService,
} from '../../faults/service-process.ts';
import { startTestPostgres } from './start-test-postgres.ts';

/** Three whole services, in processes of their own, on one PostgreSQL. */

const updaters = 64;
const updatesOfEach = 8;
const resources = ['r0', 'r1', 'r2', 'r3'];

const random = createRandom();
const postgres = await startTestPostgres();
const folders = [dataFolder(), dataFolder(), dataFolder()];
const services: ServiceProcess[] = [];
after(async () => {
  for (const service of services) service.kill('SIGKILL');
  await Promise.all(services.map(({ ended }) => ended));
  await postgres.close();
  for (const folder of folders) folder.remove();
});

const operations: Operation[] = [];
const now = () => Number(process.hrtime.bigint());

/** Sends a request to some process, and to another one where there is no answer, or none that settles it. */
async function settle(request: ProcessRequest): Promise<ProcessAnswer> {
  for (let tries = 0; tries < 3000; tries += 1) {
    try {
      const answer = await random.pick(services).request(request);
      // The same key is being worked on by another process, or the database is just now too busy.
      if (answer.status !== 503 && !answer.text.includes('RequestInProgress')) return answer;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
    await pause(20);
  }
  throw new Error(`no answer to ${request.path}`);
}

let acknowledged = 0;

async function update(client: number, n: number, token: string): Promise<void> {
  const id = random.pick(resources);
  const value = `client ${client}, write ${n}`;
  let { version } = JSON.parse((await settle({ path: `/race/resource/${id}`, token })).text) as { version: number };
  const start = now();
  for (let attempt = 0; ; attempt += 1) {
    const body = { version, actions: [{ action: 'changeSomeProperty', someProperty: value }] };
    const headers = { 'idempotency-key': `${client}-${n}-${attempt}` };
    const answer = await settle({ method: 'POST', path: `/race/resource/${id}`, token, body, headers });
    const json = JSON.parse(answer.text);
    if (answer.status === 200) {
      assert.deepEqual([json.version, json.someProperty], [version + 1, value]);
      const write = { kind: 'write', resource: id, start, end: now(), version: version + 1, value } as const;
      operations.push({ ...write, outcome: 'acknowledged' });
      acknowledged += 1;
      return;
    }
    assert.equal(answer.status, 409, answer.text);
    assert.ok(json.errors[0].currentVersion > version, answer.text);
    version = json.errors[0].currentVersion;
  }
}

async function keepUpdating(client: number, token: string): Promise<void> {
  for (let n = 0; n < updatesOfEach; n += 1) await update(client, n, token);
}

test(`${updaters} racing updaters on three processes, one of which is killed: one history, nothing lost, nothing doubled`, async (t) => {
  for (const { path } of folders) services.push(await startService(path, { DATABASE_URL: postgres.url }));
  // Keys are in the store: a token of one process is good for all.
  const token = await services[0]!.token('manage_test:race');
  for (const id of resources) {
    const start = now();
    const answer = await settle({
      method: 'PUT',
      path: '/race/resource',
      token,
      body: { id, someProperty: 'created' },
    });
    assert.equal(answer.status, 201, answer.text);
    const made = { kind: 'write', resource: id, version: 1, value: 'created', outcome: 'acknowledged' } as const;
    operations.push({ ...made, start, end: now() });
  }
  const clients = Promise.all(Array.from({ length: updaters }, (_, client) => keepUpdating(client, token)));
  while (acknowledged < (updaters * updatesOfEach) / 4) await pause(5);
  const killed = services[1]!;
  killed.kill('SIGKILL');
  await killed.ended;
  services.splice(1, 1);
  await clients;
  let versions = 0;
  for (const resource of resources) {
    const start = now();
    const { version, someProperty: value } = JSON.parse(
      (await settle({ path: `/race/resource/${resource}`, token })).text,
    );
    operations.push({ kind: 'read', resource, start, end: now(), version, value, outcome: 'acknowledged' });
    versions += version - 1;
  }
  t.diagnostic(`seed ${random.seed}: ${acknowledged} acknowledged updates`);
  assert.deepEqual(findViolations(operations), []);
  assert.equal(versions, updaters * updatesOfEach, 'each acknowledged update raised a version, and nothing else did');
});
