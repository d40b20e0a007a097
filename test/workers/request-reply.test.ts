import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequests, replyTimeoutMs } from '../../src/workers/request-reply.ts';

/** A primary that gathers from workers, one of which never replies; a worker sends it a request. */
async function askBeside(stuckMs: number, askerMs: number): Promise<string | undefined> {
  const [primary, worker] = [createRequests(stuckMs), createRequests(askerMs)];
  return worker.request(async (id) => {
    const own = await primary.request((inner) => primary.reply(inner, 'one'));
    const hanging = await primary.request(() => {});
    worker.reply(id, [own, hanging].join());
  });
}

test('a process that hangs does not hold up the replies of the others', async () => {
  assert.equal(await askBeside(20, 60_000), 'one,');
});

test('without a reply the result is undefined, and a late reply does no harm', async () => {
  const requests = createRequests(10);
  let number = 0;
  const reply = await requests.request((id) => {
    number = id;
  });
  assert.equal(reply, undefined);
  requests.reply(number, 'late');
});

test('a worker waits longer than the primary that replies to it', () => {
  assert.ok(replyTimeoutMs.worker >= 2 * replyTimeoutMs.primary);
});
