import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FairQueue } from '../../src/threads/fair-queue.ts';

interface Item {
  readonly projectKey: string;
  readonly name: string;
}

const item = (name: string): Item => ({ projectKey: name[0]!, name });

function queueOf(...names: readonly string[]): FairQueue<Item> {
  const queue = new FairQueue<Item>();
  for (const name of names) queue.add(item(name));
  return queue;
}

function takeAll(queue: FairQueue<Item>): string {
  const names: string[] = [];
  for (let next = queue.take(); next; next = queue.take()) names.push(next.name);
  assert.equal(queue.size, 0);
  return names.join(' ');
}

describe('A fair queue', () => {
  test('gives each project a turn, however many items one of them has', () => {
    assert.equal(takeAll(queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2')), 'a1 b1 c1 a2 c2 a3 a4');
  });

  test('a project that comes later is next before those that have had a turn', () => {
    const queue = queueOf('a1', 'a2', 'a3');
    assert.equal(queue.take()?.name, 'a1');
    queue.add(item('b1'));
    assert.equal(takeAll(queue), 'b1 a2 a3');
  });

  test('projects that come back again and again do not keep others from their turn', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1', 'c1');
    const names: string[] = [];
    for (let turn = 0; turn < 9; turn += 1) {
      const taken = queue.take()!;
      names.push(taken.name);
      if (taken.projectKey !== 'a') queue.add(taken);
    }
    assert.equal(names.join(' '), 'a1 b1 c1 a2 b1 c1 a3 b1 c1');
  });

  test('counts and removes', () => {
    const queue = queueOf('a1', 'a2', 'b1');
    assert.deepEqual([queue.size, queue.sizeOf('a'), queue.sizeOf('c')], [3, 2, 0]);
    assert.deepEqual(
      queue.remove(({ name }) => name.endsWith('1')).map(({ name }) => name),
      ['a1', 'b1'],
    );
    assert.equal(takeAll(queue), 'a2');
  });
});
