import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../faults/random.ts';
import { sampleOf } from '../rounds.ts';
import { until } from '../until.ts';
import { type Hooks, openHooks } from './open-hooks.ts';
import { startReceiver } from './receiver.ts';

/** Receivers that fail at random, and a service that restarts: nothing is lost, nothing is out of order, nothing is stuck. */

const random = createRandom();
const timing = { retryDelaysMs: [0, 10, 20, 30, 40, 50], saveMs: 20, timeoutMs: 10_000 };
const resources = 8;

for (const round of sampleOf([1, 2, 3], 3)) {
  test(`whatever a receiver answers, each event is delivered or a dead letter, in the order of its resource (${round})`, async () => {
    const receiver = await startReceiver();
    const failing = random.integer(0, 90);
    const poisoned = `r${random.integer(0, resources - 1)}`;
    receiver.answer(({ event }, response) => {
      const isBad = event.resource.id === poisoned || random.integer(0, 99) < failing;
      const code = isBad ? random.pick([500, 404, 302, 503, 0]) : random.pick([200, 201, 204]);
      if (code === 0) response.destroy();
      else response.writeHead(code).end();
    });
    let hooks: Hooks = await openHooks(timing);
    const { id } = await hooks.subscribe('random', { url: receiver.url, where: random.pick(['n >= 0', undefined]) });
    const told = new Map<string, number>();
    for (let n = 0; n < 120; n += 1) {
      const resource = `r${random.integer(0, resources - 1)}`;
      const { version } = await hooks.write('random', { id: resource, n });
      told.set(resource, version);
      if (random.integer(0, 39) === 0) {
        await hooks.close();
        hooks = await openHooks(timing, {}, hooks.place);
      }
    }
    // Lets go, apart from what no receiver takes.
    receiver.answer(({ event }, response) => response.writeHead(event.resource.id === poisoned ? 500 : 200).end());

    async function settled(): Promise<Map<string, Set<number>>> {
      const versionOf = new Map<number, number>();
      for (const { event } of receiver.received) versionOf.set(event.sequence, event.resource.version);
      const done = receiver.accepted.map(([resource, sequence]) => [resource, sequence] as const);
      for (let after: string | undefined = ''; after !== undefined; ) {
        const path: string = `/random/subscriptions/${id}/dead-letters?limit=100&after=${after}`;
        const { json } = await hooks.send('GET', path);
        for (const { resourceId, sequence } of json.results) done.push([resourceId, sequence]);
        after = json.next;
      }
      const versions = new Map<string, Set<number>>();
      for (const [resource, sequence] of done) {
        versions.set(resource, (versions.get(resource) ?? new Set()).add(versionOf.get(sequence)!));
      }
      return versions;
    }

    await until(
      async () => {
        const versions = await settled();
        return [...told].every(([resource, last]) => versions.get(resource)?.size === last);
      },
      async () => [...told, await hooks.send('GET', `/random/subscriptions/${id}/deliveries`)],
    );
    const order = new Map<string, number>();
    const known = new Set<number>();
    for (const [resource, sequence] of receiver.accepted) {
      if (known.has(sequence)) continue;
      known.add(sequence);
      assert.ok(sequence > (order.get(resource) ?? 0), `${resource}: ${sequence} after ${order.get(resource)}`);
      order.set(resource, sequence);
    }
  });
}
