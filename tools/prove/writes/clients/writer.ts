import type { Random } from '../../random.ts';
import { isAcknowledged } from '../record.ts';
import type { World } from '../world.ts';
import type { Action, Conditions, DraftMode, Fields, Json, SingleWrite, Target, Write } from '../write.ts';

/** Few, so that clients collide. */
export const ids = ['r0', 'r1', 'r2', 'r3', 'r4'];
export const keys = ['k0', 'k1', 'k2'];
export const groups = ['g0', 'g1', 'g2'];
const modes: readonly DraftMode[] = ['replace', 'merge', 'overwrite'];

/** Fields of a draft. Each has the mark of its write. */
function fieldsOf(random: Random, mark: string): Fields {
  const maybe = (name: string, value: Json, share = 0.5): Fields => (random.next() < share ? { [name]: value } : {});
  return {
    ...{ mark, group: random.pick(groups), name: { en: `common ${mark}` } },
    ...maybe('size', random.integer(-5, 1000)),
    ...maybe('deep', { a: mark, ...maybe('b', [1, mark]), ...maybe('c', { d: random.integer(0, 9) }) }),
    ...maybe('objectTypeProperty', { arrayOfIntExample: [random.integer(0, 9)] }, 0.2),
    ...maybe('someProperty', mark, 0.3),
    ...maybe('filler', 'filling words '.repeat(random.integer(1, 900)), 0.15),
  };
}

function targetOf(random: Random): Target {
  return random.next() < 0.75 ? { id: random.pick(ids) } : { key: random.pick(keys) };
}

function draftOf(world: World, project: string, mark: string): SingleWrite {
  const { random } = world;
  const target: Fields = { ...targetOf(random) };
  const both = target.id !== undefined && random.next() < 0.2 ? { key: random.pick(keys) } : {};
  const mode = random.pick(modes);
  const removed = random.next() < 0.2 ? { [random.pick(['size', 'deep', 'someProperty'])]: null } : {};
  const draft = { ...target, ...both, ...fieldsOf(random, mark), ...removed };
  const roll = random.next();
  if (roll < 0.1) return { kind: 'draft', mode, draft, isCreation: true };
  const conditions = roll < 0.4 ? conditionsOf(world, `${project}/${target.id}`) : {};
  return { kind: 'draft', mode, draft, ...conditions };
}

/** The version that the client saw, its entity tag, or both. */
function conditionsOf(world: World, address: string, isVersioned = world.random.next() < 0.6): Conditions {
  const seen = world.seen(address);
  if (!seen) return isVersioned ? { version: 1 } : {};
  const isTagged = seen.tag !== undefined && world.random.next() < 0.5;
  return {
    ...(isVersioned && { version: seen.version }),
    ...(isTagged && { ifMatch: seen.tag! }),
  };
}

function actionOf(world: World, mark: string): Action {
  const { random } = world;
  const staged = random.next() < 0.4 ? { staged: true } : {};
  const set = (path: string, value: Json): Action => ({ action: 'setField', path, value, ...staged });
  return random.pick<() => Action>([
    () => set('deep.a', `${mark} deep`),
    () => set('deep.c.d', random.integer(0, 9)),
    () => set('group', random.pick(groups)),
    () => ({ action: 'setField', path: random.pick(['size', 'deep.b', 'filler']), ...staged }),
    () => ({ action: 'changeSomeProperty', someProperty: mark, ...staged }),
    () => ({ action: 'doSomeThing' }),
    () => ({ action: 'setKey', ...(random.next() < 0.7 && { key: random.pick(keys) }) }),
    () => ({ action: 'publish' }),
    () => ({ action: 'revertStagedChanges' }),
    () => ({ action: 'restore', version: random.integer(1, 6) }),
  ])();
}

function updateOf(world: World, project: string, mark: string): SingleWrite {
  const { random } = world;
  const target = targetOf(random);
  const address = `${project}/${'id' in target ? target.id : random.pick(ids)}`;
  const actions = Array.from({ length: random.integer(1, 3) }, () => actionOf(world, mark));
  const marking: Action = {
    ...{ action: 'setField', path: 'mark', value: mark },
    ...(random.next() < 0.3 && { staged: true }),
  };
  const isMarked = random.next() < 0.85;
  const conditions = conditionsOf(world, address, true);
  return { kind: 'update', target, ...conditions, actions: isMarked ? [...actions, marking] : actions };
}

function batchOf(world: World, project: string, name: string): Write {
  const { random } = world;
  const operations = random
    .shuffled(ids)
    .slice(0, random.integer(2, 4))
    .map((id, at): SingleWrite => {
      const mark = `${name}-${at}`;
      const address = `${project}/${id}`;
      const roll = random.next();
      if (roll < 0.1) return { kind: 'delete', target: { id } };
      if (roll < 0.6) {
        const draft = { id, ...fieldsOf(random, mark) };
        const mode = roll < 0.2 ? 'create' : random.pick(modes);
        const { version } = roll < 0.3 && mode !== 'create' ? conditionsOf(world, address, true) : {};
        return { kind: 'draft', mode, draft, ...(version !== undefined && { version }) };
      }
      const { version = 1 } = conditionsOf(world, address, true);
      const marking: Action = { action: 'setField', path: 'mark', value: mark };
      return {
        kind: 'update',
        target: { id },
        version,
        actions: [{ action: 'setField', path: 'deep.a', value: mark }, marking],
      };
    });
  return { kind: 'batch', isAtomic: random.next() < 0.7, operations };
}

function importOf(world: World, name: string): Write {
  const { random } = world;
  const lines = Array.from({ length: random.integer(1, 12) }, (_, at) => ({
    id: random.pick(ids),
    ...fieldsOf(random, `${name}-${at}`),
  }));
  // Repeated lines leave their resource as it is, if nobody comes between.
  const repeated = random.next() < 0.5 ? [lines[0]!] : [];
  return { kind: 'import', mode: random.pick(modes), lines: [...lines, ...repeated] };
}

function documentOf(world: World, mark: string): Write {
  const { random } = world;
  const name = random.pick(['document', 'value'] as const);
  const value: Json = { [`f${random.integer(0, 3)}`]: random.next() < 0.2 ? null : mark, mark };
  return { kind: 'document', name, value };
}

/** One write in this many is of this kind. */
const kinds: readonly (readonly [share: number, make: (world: World, project: string, name: string) => Write])[] = [
  [20, draftOf],
  [34, updateOf],
  [10, ({ random }) => ({ kind: 'delete', target: targetOf(random) })],
  [10, ({ random }) => restorationOf(random)],
  [4, ({ random }) => ({ kind: 'forget', id: random.pick(ids) })],
  [10, batchOf],
  [6, (world, _, name) => importOf(world, name)],
  [4, (world, _, name) => documentOf(world, name)],
  [3, ({ random }, _, mark) => complexOf(random, mark)],
];

function restorationOf(random: Random): Write {
  const chosen = random.next() < 0.3 ? { version: random.integer(1, 5) } : undefined;
  return { kind: 'restore', target: targetOf(random), chosen };
}

function complexOf(random: Random, mark: string): Write {
  const pair = [random.pick(['a', 'b']), 'x'] as const;
  return { kind: 'complex', pair, body: { custom: mark, mark, group: random.pick(groups), name: { en: 'common' } } };
}

function nextWrite(world: World, project: string, name: string): Write {
  let left = world.random.integer(
    1,
    kinds.reduce((sum, [share]) => sum + share, 0),
  );
  for (const [share, make] of kinds) {
    left -= share;
    if (left <= 0) return make(world, project, name);
  }
  throw new Error('no kind of write');
}

/** Writes at random until the round is over. */
export async function keepWriting(world: World, client: number): Promise<void> {
  while (!world.isStopped) {
    const project = world.random.pick(world.projects);
    const name = world.name();
    const write = nextWrite(world, project, name);
    const done = await world.write(client, project, name, write);
    // The same draft once more leaves the resource as it is, or writes it again.
    if (!done || write.kind !== 'draft' || !isAcknowledged(done) || world.random.next() > 0.1) continue;
    const { version: _, ifMatch: __, isCreation: ___, ...again } = write;
    await world.write(client, project, world.name(), again);
  }
}
