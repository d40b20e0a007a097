import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyMemory } from '../../src/http/request/body-memory.ts';

test('large bodies share a bounded memory in the order of their arrival, and one alone always has room', async () => {
  const memory = new BodyMemory(40 * 100);
  const order: string[] = [];
  const take = async (name: string, size: number) => {
    const free = await memory.take(size);
    order.push(name);
    return free;
  };
  const freeHuge = await take('huge', 1000);
  const [large, small] = [take('large', 90), take('small', 20)];
  freeHuge();
  const freeLarge = await large;
  assert.deepEqual(order, ['huge', 'large']);
  freeLarge();
  (await small)();
  assert.deepEqual(order, ['huge', 'large', 'small']);
});
