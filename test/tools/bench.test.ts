import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBenchOptions } from '../../bench/options.ts';
import { goalShareOf, type Stage, trials } from '../../bench/trials.ts';

const stage: Stage = { token: 'a-token', project: 'bench', count: 1000, idOf: (n) => `id-${n}` };
const trialOf = (name: string) => trials.find((trial) => trial.name === name)!;

test('bench: --count is a store of one size, --sizes are several, by default 1,000 and 100,000', () => {
  assert.deepEqual(parseBenchOptions([]).sizes, [1000, 100_000]);
  assert.deepEqual(parseBenchOptions(['--count', '1000000']).sizes, [1_000_000]);
  assert.deepEqual(parseBenchOptions(['--sizes', '10000,1000000']).sizes, [10_000, 1_000_000]);
  for (const args of [
    ['--count', '0'],
    ['--count', '1e'],
    ['--sizes', '10,'],
    ['--count', '1', '--sizes', '2'],
    ['--cuont', '1'],
  ]) {
    assert.throws(() => parseBenchOptions(args), args.join(' '));
  }
});

test('bench: the goal of uniform reads is lower for 1,000,000 resources, that of cached ones is not', () => {
  const goals = (name: string) => [1000, 100_000, 1_000_000].map((size) => goalShareOf(trialOf(name), size));
  assert.deepEqual(goals('GET by id, uniform'), [0.6, 0.6, 0.45]);
  assert.deepEqual(goals('GET by id, 1,000 cached'), [0.8, 0.8, 0.8]);
  assert.deepEqual(goals('create beside documents of 90,000 integers'), [undefined, undefined, undefined]);
});

test('bench: of repeated lists beside creates, each hundredth request is a create and the others come again', () => {
  const make = trialOf('list, 20 of the matches, beside 1 % creates').make(stage);
  const sent = Array.from({ length: 400 }, (_, n) => String(make(n)));
  assert.equal(sent.filter((request) => request.startsWith('POST ')).length, 4);
  assert.equal(new Set(sent.filter((request) => request.startsWith('GET '))).size, 20);
});

test('bench: a document of many integers has 90,000 of them, no two alike, in 540 KB', () => {
  const { beside } = trialOf('create beside documents of 90,000 integers');
  const body = String(beside!.make(stage)(0)).split('\r\n\r\n')[1]!;
  const { integers } = JSON.parse(body) as { readonly integers: readonly number[] };
  assert.equal(integers.length, 90_000);
  assert.equal(new Set(integers).size, 90_000);
  assert.equal(Math.round(body.length / 10_000), 54);
});
