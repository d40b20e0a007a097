import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { NoAnswer, type ServiceProcess, startService } from '../faults/service-process.ts';
import { withoutProc, workersOf } from '../faults/worker-processes.ts';
import { until } from '../until.ts';
import { newPlace } from './open-hooks.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const place = await newPlace();
const folder = place.DATA_DIR!;
const environment = { ...place, WEBHOOK_ADDRESSES: '127.0.0.1' };
let service: ServiceProcess;
after(async () => {
  service.kill('SIGKILL');
  await service.ended;
});

async function subscribe(token: string, project: string, receiver: Receiver): Promise<void> {
  const path = `/${project}/subscriptions`;
  const { status, text } = await service.request({ method: 'POST', path, token, body: { url: receiver.url } });
  assert.equal(status, 201, text);
}

/** Writes until the service is gone, or `count` times, so that all is delivered soon; notes each acknowledged version. */
async function write(project: string, token: string, writer: number, count: number, told: Set<string>): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const id = `w${writer}-${n % 3}`;
    const { status, text } = await service.request({
      ...{ method: 'POST', path: `/${project}/resource`, token, body: { id, n } },
    });
    assert.equal(status, 201, text);
    told.add(`${id} ${JSON.parse(text).version}`);
  }
}

/** Every acknowledged version was delivered; and, first deliveries alone, those of each resource in order. */
function check(receiver: Receiver, told: ReadonlySet<string>): void {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  for (const { event } of receiver.received) {
    const { id, version } = event.resource;
    if (seen.has(`${id} ${version}`)) continue;
    seen.add(`${id} ${version}`);
    assert.equal(version, (last.get(id) ?? 0) + 1, `${id} in order`);
    last.set(id, version);
  }
  assert.deepEqual(
    [...told].filter((one) => !seen.has(one)),
    [],
  );
}

const deliveredAll = (receiver: Receiver, told: ReadonlySet<string>) => {
  const seen = new Set(receiver.received.map(({ event }) => `${event.resource.id} ${event.resource.version}`));
  return [...told].every((one) => seen.has(one));
};

test('a service that is killed in the middle of deliveries goes on after its start: nothing is skipped', async () => {
  const receiver = await startReceiver();
  service = await startService(folder, environment);
  const token = await service.token('manage_project:killed');
  await subscribe(token, 'killed', receiver);
  const told = new Set<string>();
  for (let cycle = 0; cycle < 3; cycle += 1) {
    const writers = [0, 1, 2].map((writer) =>
      write('killed', token, 10 * cycle + writer, 150, told).catch((error) => {
        if (!(error instanceof NoAnswer)) throw error;
      }),
    );
    const before = receiver.received.length;
    await until(() => receiver.received.length > before + 40);
    service.kill('SIGKILL');
    await Promise.all([...writers, service.ended]);
    service = await startService(folder, environment);
  }
  await until(
    () => deliveredAll(receiver, told),
    () => [told.size, receiver.received.length],
  );
  check(receiver, told);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
});

test('of several processes one delivers; when it is killed another one does', { skip: withoutProc }, async () => {
  const receiver = await startReceiver();
  service = await startService(folder, { ...environment, WORKERS: '3' });
  const token = await service.token('manage_project:workers');
  await subscribe(token, 'workers', receiver);
  const told = new Set<string>();
  await write('workers', token, 1, 30, told);
  await until(() => deliveredAll(receiver, told));
  assert.equal(receiver.received.length, 30, 'by one process only');
  // All of them, one after the other: whichever delivers is among them. A worker that is replaced has another id.
  for (const pid of workersOf(service)) {
    process.kill(pid, 'SIGKILL');
    await until(() => {
      const now = workersOf(service);
      return now.length === 3 && !now.includes(pid);
    });
    await pause(100);
    await persistently(() => write('workers', token, 2 + told.size, 10, told));
  }
  await until(
    () => deliveredAll(receiver, told),
    () => [told.size, receiver.received.length],
  );
  check(receiver, told);
});

/** Repeats what a connection to a killed worker broke. */
async function persistently(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NoAnswer) || tries === 3000) throw error;
      await pause(20);
    }
  }
}
