import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyMemory } from '../../src/http/request/body-memory.ts';
import { inLargeTurn } from '../../src/http/request/large-turn.ts';

test('large bodies are parsed and decided in rounds of the event loop of their own, in the order in which they came', async () => {
  let round = 0;
  let isCounting = true;
  const count = () => {
    round += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const steps: { readonly body: number; readonly round: number }[] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (body) => {
      const parsed = await inLargeTurn(() => {
        steps.push({ body, round });
        return `body ${body}`;
      });
      steps.push({ body, round });
      assert.equal(parsed, `body ${body}`);
    }),
  );
  isCounting = false;
  assert.deepEqual(
    steps.map(({ body }) => body),
    [0, 0, 1, 1, 2, 2, 3, 3],
  );
  assert.equal(new Set(steps.map((step) => step.round)).size, steps.length, 'no two in one round');
});

test('a large body that cannot be parsed fails alone: those behind it have their turns', async () => {
  const parses = ['{', '{"a":1}'].map((text) => inLargeTurn(() => JSON.parse(text) as unknown));
  const [first, second] = await Promise.allSettled(parses);
  assert.equal(first!.status, 'rejected');
  assert.deepEqual(second, { status: 'fulfilled', value: { a: 1 } });
});

test('large bodies have the memory that there is for them: others wait in their order, and one alone always has room', async () => {
  const memory = new BodyMemory(40 * 100);
  const begun: string[] = [];
  const take = async (name: string, size: number) => {
    const free = await memory.take(size);
    begun.push(name);
    return free;
  };
  const freeFirst = await take('larger than all of it', 1000);
  const [second, third, fourth] = [take('second', 60), take('third', 60), take('fourth', 10)];
  await new Promise(setImmediate);
  assert.deepEqual(begun, ['larger than all of it']);
  freeFirst();
  const freeSecond = await second;
  await new Promise(setImmediate);
  assert.deepEqual(begun.slice(1), ['second'], 'none goes ahead of one that came before it');
  freeSecond();
  const frees = await Promise.all([third, fourth]);
  assert.deepEqual(begun.slice(2), ['third', 'fourth']);
  for (const free of frees) free();
});

test('a large body that waits too long for memory is 503, and those behind it go on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const memory = new BodyMemory(40 * 100);
  const free = await memory.take(50);
  const late = assert.rejects(memory.take(100), { code: 'OverCapacity' });
  const small = memory.take(10);
  t.mock.timers.tick(10_000);
  await late;
  await small;
  free();
});
