import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PieceWorker, workInOrder } from '../../src/threads/work-in-order.ts';

/** Pieces that several workers work on at the same time. */
async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n += 1) yield n;
}

interface Running {
  part(text: string): void;
  end(): void;
  fail(error: Error): void;
}

/** Workers whose pieces end when the test says so. */
function heldWorkers(count: number) {
  const running = new Map<number, Running>();
  const worker: PieceWorker<number, string, string> = {
    run(piece, onPart) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      running.set(piece, { part: onPart, end: () => resolve(`end ${piece}`), fail: reject });
      return promise;
    },
    close: async () => {},
  };
  return { running, workers: Array.from({ length: count }, () => worker) };
}

const turn = () => new Promise(setImmediate);

test('pieces end in any order: what comes of them is taken in theirs, and of the first one at once', async () => {
  const { running, workers } = heldWorkers(3);
  const taken: string[] = [];
  const working = workInOrder(() => numbers(5), workers, {
    part: (piece, part) => taken.push(`${piece} ${part}`),
    end: (piece, end) => taken.push(`${piece} ${end}`),
  });
  await turn();
  assert.deepEqual([...running.keys()], [0, 1, 2], 'as many as there are workers');
  running.get(1)!.part('a');
  running.get(2)!.part('b');
  running.get(2)!.end();
  await turn();
  assert.deepEqual(taken, []);
  assert.deepEqual([...running.keys()], [0, 1, 2, 3]);
  running.get(0)!.part('c');
  assert.deepEqual(taken, ['0 c']);
  running.get(0)!.end();
  await turn();
  assert.deepEqual(taken, ['0 c', '0 end 0', '1 a']);
  running.get(1)!.part('d');
  running.get(1)!.end();
  running.get(3)!.end();
  running.get(4)!.end();
  await working;
  assert.deepEqual(taken.slice(3), ['1 d', '1 end 1', '2 b', '2 end 2', '3 end 3', '4 end 4']);
});

test('a piece that fails: nothing behind it is taken, and who finds the pieces is told', async () => {
  const { running, workers } = heldWorkers(2);
  const taken: number[] = [];
  let told: unknown;
  async function* pieces(signal: AbortSignal): AsyncGenerator<number> {
    yield* numbers(3);
    // Waits for those before, as for the end of a project.
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        told = signal.reason;
        reject(signal.reason);
      });
    });
  }
  const working = workInOrder(pieces, workers, { part: () => {}, end: (piece) => taken.push(piece) });
  await turn();
  running.get(0)!.end();
  await turn();
  running.get(2)!.end();
  await turn();
  running.get(1)!.fail(new Error('broken'));
  await assert.rejects(working, { message: 'broken' });
  assert.deepEqual(taken, [0]);
  assert.equal((told as Error).message, 'broken');
});

test('pieces that cannot be found any further: the error is that of who looks for them', async () => {
  async function* pieces(): AsyncGenerator<number> {
    yield 0;
    throw new Error('no more');
  }
  const { running, workers } = heldWorkers(2);
  const working = workInOrder(pieces, workers, { part: () => {}, end: () => {} });
  await assert.rejects(working, { message: 'no more' });
  running.get(0)!.end();
});
