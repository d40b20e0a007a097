import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ResourceStore } from '../../src/domain/ports/resource-store.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { Courier } from '../../src/webhooks/delivery/courier.ts';
import { registerDeliveryMetrics } from '../../src/webhooks/delivery/metrics.ts';
import { createSlots } from '../../src/webhooks/delivery/slots.ts';
import { type DeliveryState, initState, readState, writeState } from '../../src/webhooks/records/delivery-state.ts';
import { statesOf } from '../../src/webhooks/records/records.ts';
import type { Subscription } from '../../src/webhooks/subscription/subscription.ts';
import { overriding } from '../storage/overriding.ts';
import { until } from '../until.ts';
import { fastTiming, type Hooks, openHooks } from './open-hooks.ts';

const hooks = await openHooks();
const hour = 3_600_000;
const retryDelaysMs = [0, hour, hour];
const timing = { retryDelaysMs, leaseMs: 1000, saveMs: 50, pollMs: 50, drainMs: 200, timeoutMs: 1000, ...fastTiming };

/** A courier of a project with three changes, with the state that its deliveries have come to. */
async function courierOf(project: string, progress: (last: number) => Partial<DeliveryState>) {
  for (const id of ['a', 'b', 'c']) await hooks.write(project, { id });
  const log = hooks.store.changes;
  const { epoch, last } = await log.bounds(project);
  const store: Hooks['store']['resources'] = hooks.store.resources;
  const nowIso = new Date().toISOString();
  const [before, secrets] = [{ epoch, position: last - 3 }, [{ value: 'whsec_c2VjcmV0', createdAt: nowIso }]];
  const subscribed = { projectKey: project, id: 's' };
  await initState(store, subscribed, before, nowIso);
  const { state, fence } = (await readState(store, subscribed))!;
  await writeState(store, subscribed, { state: { ...state, ...progress(last) }, fence }, nowIso);
  const subscription: Subscription = {
    ...{ ...subscribed, key: undefined, version: 1, url: 'http://old.example/', secrets },
  };
  const sent: string[] = [];
  const states: string[] = [];
  let atFirst: (() => void) | undefined;
  /** Tells of each write of the state; the first one waits for `atFirst`. */
  const watched: ResourceStore = overriding(store, {
    commit(change) {
      if ('next' in change && change.next.projectKey === statesOf(project)) {
        states.push(change.kind);
        atFirst?.();
        atFirst = undefined;
      }
      return store.commit(change);
    },
  });
  const courier = (onFirst?: () => void) => {
    atFirst = onFirst;
    return new Courier(
      {
        ...{ store: watched, source: { store, log }, log: noLog, nowMs: Date.now, random: Math.random, timing },
        ...{ processId: 'test', metrics: registerDeliveryMetrics(createMetrics()), slots: createSlots(8) },
        onGone: async () => {},
        async send(url, _secrets, { body }) {
          sent.push(`${url} ${JSON.parse(body).resource.id}`);
          return { ok: url.includes('new'), status: 200, durationMs: 1 };
        },
      },
      subscription,
    );
  };
  return { courier, subscription, sent, states };
}

const held = (id: string, sequence: number, attempts: number, dueMs: number) => {
  return { id, sequence, last: sequence, attempts, dueMs, atMs: Date.now() };
};

test('what is held is due at once where the address changes while the lease is taken', async () => {
  const { courier, subscription, sent } = await courierOf('changed', (last) => ({
    ...{ position: last - 1, held: [held('a', last - 2, 1, Date.now() + hour)] },
  }));
  const own = courier(() => own.update({ ...subscription, version: 2, url: 'http://new.example/' }));
  await until(() => sent.includes('http://new.example/ a'));
  await own.close();
});

test('while a receiver is down and its next attempt is far, no lease is taken', async () => {
  const { courier, sent, states } = await courierOf('down', (last) => ({
    ...{ position: last, downSinceMs: Date.now() - 1000 },
    held: [held('a', last - 2, 5, Date.now() + hour), held('b', last - 1, 0, Date.now() - 1000)],
  }));
  const own = courier();
  for (let woken = 0; woken < 20; woken += 1) {
    own.wake();
    await pause(20);
  }
  assert.deepEqual([states, sent], [[], []]);
  await own.close();
});
