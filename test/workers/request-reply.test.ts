import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQuestions, patienceMs } from '../../src/workers/request-reply.ts';

/** A primary that gathers from workers, one of which never answers; a worker asks it. */
async function askBeside(stuckMs: number, askerMs: number): Promise<string | undefined> {
  const [primary, worker] = [createQuestions(stuckMs), createQuestions(askerMs)];
  return worker.ask(async (ask) => {
    const own = await primary.ask((inner) => primary.answered(inner, 'one'));
    const stuck = await primary.ask(() => {});
    worker.answered(ask, [own, stuck].join());
  });
}

test('what a stuck process leaves out reaches the one who asked', async () => {
  assert.equal(await askBeside(20, 60_000), 'one,');
});

test('no answer is undefined, and a late one does no harm', async () => {
  const questions = createQuestions(10);
  let number = 0;
  const answer = await questions.ask((ask) => {
    number = ask;
  });
  assert.equal(answer, undefined);
  questions.answered(number, 'late');
});

test('a worker has more patience than the primary that answers it', () => {
  assert.ok(patienceMs.worker >= 2 * patienceMs.primary);
});
