import assert from 'node:assert/strict';
import { test } from 'node:test';
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
