import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { creation, document } from '../records.ts';

/** Writers on a store while something happens to its server. */
export interface Load {
  readonly acknowledged: ReadonlySet<string>;
  readonly refusals: readonly unknown[];
  /** Waits until so many more writes were acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Clients that create resources one after another until they are stopped, and read what they created. */
export function startLoad(store: Store, project: string, clients: number): Load {
  const acknowledged = new Set<string>();
  const refusals: unknown[] = [];
  let running = true;
  async function client(name: number): Promise<void> {
    for (let n = 0; running; n += 1) {
      const id = `${name}-${n}`;
      try {
        assert.equal(await store.resources.commit(creation(project, document(id, 1, { n }))), 'committed');
        acknowledged.add(id);
        await store.resources.get(project, id);
      } catch (error) {
        refusals.push(error);
        await pause(5);
      }
    }
  }
  const all = Array.from({ length: clients }, (_, name) => client(name));
  return {
    acknowledged,
    refusals,
    async more(count) {
      const goal = acknowledged.size + count;
      while (acknowledged.size < goal) await pause(5);
    },
    async stop() {
      running = false;
      await Promise.all(all);
    },
  };
}

/** All refusals were 503, with a time to come back. */
export function assertUnavailable(refusals: readonly unknown[]): void {
  for (const refusal of refusals) {
    assert.ok(refusal instanceof ServiceError, String(refusal));
    assert.equal(refusal.status, 503);
    assert.ok(refusal.headers['retry-after']);
  }
}

/** Each of the resources is there. */
export async function assertAllStored(store: Store, project: string, ids: Iterable<string>): Promise<void> {
  for (const id of ids) assert.equal((await store.resources.get(project, id))?.id, id);
}
