import { ServiceError } from '../../../contract/errors.ts';
import type { IdempotentResponse, ResourceStore } from '../../ports/resource-store.ts';
import type { WriteContext } from '../context.ts';
import type { Decision, Outcome } from './decision.ts';
import type { Preconditions } from './preconditions.ts';
import { inTurn } from './serialize-writes.ts';

/** An answer as it is kept for repeats; its content type is among the headers, in lower case. */
export type WriteAnswer = Pick<IdempotentResponse, 'status' | 'headers' | 'body'>;

/** A request with an Idempotency-Key (decision 33), in the forms of `IdempotentResponse`. */
export interface Idempotency {
  readonly scope: string;
  readonly requestHash: string;
}

/** What every write has beside its own rules. */
export interface Write {
  readonly store: ResourceStore;
  readonly projectKey: string;
  readonly context: WriteContext;
  readonly preconditions: Preconditions;
  readonly idempotency?: Idempotency | undefined;
  /** Makes the answer; called again for each new decision. */
  readonly answerOf: (outcome: Outcome) => WriteAnswer;
}

/** More losses in a row than this means that something is wrong: a writer in its turn competes with newcomers only. */
const maxAttempts = 100;
const answerLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * Decides and commits until a commit holds. `decide` reads the store afresh each time and throws what is to be refused,
 * so a write that expects a version fails at its second attempt, while one that expects none goes on.
 */
export async function commitDecided(write: Write, decide: () => Promise<Decision>): Promise<WriteAnswer> {
  const first = await attempt(write, decide);
  if (first.answer !== undefined) return first.answer;
  return inTurn(write.store, `${write.projectKey}\n${first.contested}`, async () => {
    for (let attempts = 1; attempts < maxAttempts; attempts += 1) {
      const { answer } = await attempt(write, decide);
      if (answer !== undefined) return answer;
    }
    const problem = 'Too many writes of this resource at the same time; try again.';
    throw new ServiceError('OverCapacity', problem, {}, { 'retry-after': '1' });
  });
}

/** One attempt: its answer, or the id or key that another write took meanwhile. */
type Attempt = { readonly answer: WriteAnswer } | { readonly answer?: undefined; readonly contested: string };

async function attempt(write: Write, decide: () => Promise<Decision>): Promise<Attempt> {
  const earlier = await earlierAnswer(write);
  if (earlier !== undefined) return { answer: earlier };
  const { change, outcome } = await decide();
  const answer = write.answerOf(outcome);
  if (change === undefined) return { answer };
  const kept = keptAnswer(write, answer);
  const word = await write.store.commit(kept === undefined ? change : { ...change, idempotency: kept });
  if (word === 'committed') return { answer };
  const { id, key } = outcome.record;
  return { contested: word === 'keyTaken' ? `key ${key}` : `id ${id}` };
}

async function earlierAnswer({ store, idempotency, context }: Write): Promise<WriteAnswer | undefined> {
  if (idempotency === undefined) return undefined;
  const answer = await store.getIdempotentResponse(idempotency.scope, Date.parse(context.nowIso));
  if (answer === undefined) return undefined;
  if (answer.requestHash !== idempotency.requestHash) {
    throw new ServiceError(
      'IdempotencyKeyReused',
      'The Idempotency-Key was used before with another request; a new request needs a new key.',
    );
  }
  return { status: answer.status, headers: answer.headers, body: answer.body };
}

function keptAnswer(write: Write, answer: WriteAnswer): IdempotentResponse | undefined {
  if (write.idempotency === undefined) return undefined;
  const { status, headers, body } = answer;
  return {
    ...write.idempotency,
    status,
    headers,
    body,
    expiresAtMs: Date.parse(write.context.nowIso) + answerLifetimeMs,
  };
}
