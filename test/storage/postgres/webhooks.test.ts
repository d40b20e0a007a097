import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dataFolder, type ServiceProcess, startService } from '../../faults/service-process.ts';
import { sampleOf } from '../../faults/worker-processes.ts';
import { until } from '../../until.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { startTestPostgres } from './start-test-postgres.ts';

/** Three whole services, in processes of their own, on one PostgreSQL: they agree on who delivers. */

const postgres = await startTestPostgres();
const folders = [dataFolder(), dataFolder(), dataFolder()];
const environment = { DATABASE_URL: postgres.url, WEBHOOK_ADDRESSES: '127.0.0.1' };
const services = new Set<ServiceProcess>();
after(async () => {
  for (const service of services) service.kill('SIGKILL');
  await Promise.all([...services].map(({ ended }) => ended));
  await postgres.close();
  for (const folder of folders) folder.remove();
});

test('of three services one delivers; each time it is killed another one goes on, and nothing is skipped', async () => {
  for (const folder of folders) services.add(await startService(folder.path, environment));
  const receiver = await startReceiver();
  const [first] = services;
  const token = await first!.token('manage_project:shared');
  const body = { url: receiver.url };
  const created = await first!.request({ method: 'POST', path: '/shared/subscriptions', token, body });
  assert.equal(created.status, 201, created.text);
  const told = new Set<string>();
  const seen = () => new Set(receiver.received.map(({ event }) => `${event.resource.id} ${event.resource.version}`));

  async function write(count: number): Promise<void> {
    const all = [...services];
    for (let n = 0; n < count; n += 1) {
      const draft = { id: `r${n % 5}`, n };
      const service = all[n % all.length]!;
      const { status, text } = await service.request({ method: 'POST', path: '/shared/resource', token, body: draft });
      assert.equal(status, 201, text);
      told.add(`${draft.id} ${JSON.parse(text).version}`);
    }
  }

  async function owner(): Promise<ServiceProcess> {
    const counts = await Promise.all(
      [...services].map(async (service) => {
        const { text } = await service.request({ path: '/metrics' });
        return [service, sampleOf(text, 'grs_webhook_attempts_total{outcome="delivered"}') ?? 0] as const;
      }),
    );
    return counts.toSorted(([, a], [, b]) => b - a)[0]![0];
  }

  while (services.size > 0) {
    await write(60);
    await until(() => told.isSubsetOf(seen()));
    if (services.size === 1) break;
    await write(20);
    const dying = await owner();
    dying.kill('SIGKILL');
    await dying.ended;
    services.delete(dying);
    await until(() => told.isSubsetOf(seen()));
  }
  const last = new Map<string, number>();
  for (const { event } of receiver.received) {
    const { id, version } = event.resource;
    if (version <= (last.get(id) ?? 0)) continue;
    assert.equal(version, (last.get(id) ?? 0) + 1, `${id} in order`);
    last.set(id, version);
  }
});
