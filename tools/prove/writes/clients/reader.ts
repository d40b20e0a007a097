import { setTimeout as pause } from 'node:timers/promises';
import type { ManyBy, ReadAttempt } from '../record.ts';
import type { World } from '../world.ts';
import { groups, ids, keys } from './writer.ts';

const encode = encodeURIComponent;

/** The path of a read of many under `/{project}/resource`. */
export function pathOfMany(by: ManyBy, group: string | undefined): string {
  const condition = group === undefined ? 'version >= 1' : `group = "${group}"`;
  switch (by) {
    case 'list':
      return `/sorted-query-parameters?limit=500&withTotal=true&where=${encode(condition)}&sort=size%20desc`;
    case 'search': {
      const filter = group === undefined ? '' : `&filter.query=${encode(`group:"${group}"`)}`;
      return `/searchApiPattern?limit=500&withTotal=true${filter}`;
    }
    case 'export':
      return `/export?where=${encode(condition)}`;
    case 'exists':
      return `?stringParameter=${encode(condition)}`;
  }
}

async function readOnce(world: World, client: number, project: string): Promise<void> {
  const { random } = world;
  const resource = `/${project}/resource`;
  const send = (read: ReadAttempt['read'], path: string, method = 'GET') =>
    world.read(client, project, read, { path: `${resource}${path}`, method });
  const roll = random.next();
  const id = random.pick(ids);
  if (roll < 0.35) await send({ kind: 'one', id }, `/${id}`);
  else if (roll < 0.45) {
    const key = random.pick(keys);
    await send({ kind: 'key', key }, `/key=${key}`);
  } else if (roll < 0.55) {
    const [version, staged] = [random.integer(1, 8), random.next() < 0.5];
    await send({ kind: 'version', id, version, staged }, `/${id}?version=${version}&staged=${staged}`);
  } else if (roll < 0.6) await send({ kind: 'document', name: 'document' }, '/namespace-action');
  else {
    const by = random.pick<ManyBy>(['list', 'list', 'search', 'export', 'exists']);
    const group = random.next() < 0.5 ? random.pick(groups) : undefined;
    await send({ kind: 'many', by, group }, pathOfMany(by, group), by === 'exists' ? 'HEAD' : 'GET');
  }
}

/** Reads at random until the round is over, with pauses that leave the processor to writes. */
export async function keepReading(world: World, client: number): Promise<void> {
  while (!world.isStopped) {
    await readOnce(world, client, world.random.pick(world.projects));
    await pause(world.random.integer(0, 10));
  }
}
