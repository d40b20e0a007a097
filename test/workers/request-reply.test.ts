import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequests, replyTimeoutMs } from '../../src/workers/request-reply.ts';

/** A primary that gathers from workers, one of which never answers; a worker asks it. */
async function askBeside(stuckMs: number, askerMs: number): Promise<string | undefined> {
  const [primary, worker] = [createRequests(stuckMs), createRequests(askerMs)];
  return worker.request(async (ask) => {
    const own = await primary.request((inner) => primary.reply(inner, 'one'));
    const stuck = await primary.request(() => {});
    worker.reply(ask, [own, stuck].join());
  });
}

test('what a stuck process leaves out reaches the one who asked', async () => {
  assert.equal(await askBeside(20, 60_000), 'one,');
});

test('no answer is undefined, and a late one does no harm', async () => {
  const requests = createRequests(10);
  let number = 0;
  const answer = await requests.request((ask) => {
    number = ask;
  });
  assert.equal(answer, undefined);
  requests.reply(number, 'late');
});

test('a worker has more patience than the primary that answers it', () => {
  assert.ok(replyTimeoutMs.worker >= 2 * replyTimeoutMs.primary);
});
