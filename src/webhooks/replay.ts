import { stringifyJson } from '../domain/json/parse.ts';
import type { DeliveryDeps } from './delivery/deps.ts';
import { failureOf, type Message, type SendResult } from './message/send.ts';
import { addAttempts } from './records/attempts.ts';
import { type DeadLetter, deleteDeadLetter, getDeadLetter, scanDeadLetters } from './records/dead-letters.ts';
import { type Subscription, signingSecrets } from './subscription/subscription.ts';

export type ReplayDeps = Pick<DeliveryDeps, 'store' | 'send' | 'nowMs'> & { readonly newId: () => string };

/** Sends a test event. Nothing is stored but the attempt. */
export async function sendTest(deps: ReplayDeps, subscription: Subscription) {
  const id = `test_${deps.newId()}`;
  const at = new Date(deps.nowMs()).toISOString();
  const body = stringifyJson({ id, type: 'test', at, subscription: { typeId: 'subscription', id: subscription.id } });
  return reportOf(await sendOnce(deps, subscription, { id, body }, { type: 'test' }));
}

/** Sends a dead letter again, with the id that it had, and deletes it where it is delivered. Throws 404. */
export async function replayDeadLetter(deps: ReplayDeps, subscription: Subscription, deadLetterId: string) {
  return reportOf(await replay(deps, subscription, await getDeadLetter(deps.store, subscription, deadLetterId)));
}

/** How long a request keeps sending dead letters. */
const replayMs = 10_000;

/** Sends dead letters again, oldest first, until one fails or ten seconds have passed. `more`: there are more to send. */
export async function replayAll(deps: ReplayDeps, subscription: Subscription) {
  const { store, nowMs } = deps;
  const endMs = nowMs() + replayMs;
  let delivered = 0;
  for (;;) {
    const [letter] = await scanDeadLetters(store, subscription, undefined, 1);
    if (letter === undefined) return { delivered, more: false };
    if (nowMs() >= endMs) return { delivered, more: true };
    const result = await replay(deps, subscription, letter);
    if (!result.ok) return { delivered, failed: { id: letter.id, reason: failureOf(result) }, more: true };
    delivered += 1;
  }
}

async function replay(deps: ReplayDeps, subscription: Subscription, letter: DeadLetter): Promise<SendResult> {
  const { messageId, body, type, resourceId, sequence, attempts } = letter;
  const attempt = { type, resourceId, sequence, attempt: attempts + 1 };
  const result = await sendOnce(deps, subscription, { id: messageId, body }, attempt);
  if (result.ok) await deleteDeadLetter(deps.store, subscription, letter.id);
  return result;
}

interface Described {
  readonly type: string;
  readonly resourceId?: string;
  readonly sequence?: number;
  readonly attempt?: number;
}

async function sendOnce(
  { store, send, nowMs }: ReplayDeps,
  subscription: Subscription,
  message: Message,
  described: Described,
): Promise<SendResult> {
  const result = await send(subscription.url, signingSecrets(subscription, nowMs()), message);
  const { status, failure, durationMs } = result;
  const at = new Date(nowMs()).toISOString();
  const attempt = { at, messageId: message.id, attempt: 1, ...described, status, failure, durationMs };
  await addAttempts(store, subscription, [attempt], at);
  return result;
}

/** What became of a delivery that was asked for. */
function reportOf({ ok, status, failure, durationMs }: SendResult) {
  return {
    delivered: ok,
    ...(status !== undefined && { status }),
    ...(failure !== undefined && { failure }),
    durationMs,
  };
}
