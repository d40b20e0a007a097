import { ServiceError } from '../../../contract/errors.ts';
import type { ChangeLog } from '../../ports/change-log.ts';
import type { Eventually } from '../../ports/eventually.ts';
import type { IdempotentResponse, ResourceStore } from '../../ports/resource-store.ts';
import type { Decision, Outcome, WriteContext } from './decision.ts';
import type { Preconditions } from './preconditions.ts';
import { serialized } from './serialize-writes.ts';

/** A response as it is stored for repeats; its content type is among the headers, in lower case. */
export type WriteResponse = Pick<IdempotentResponse, 'status' | 'headers' | 'body'>;

/** A request with an Idempotency-Key (decision 33), in the forms of `IdempotentResponse`. */
export interface Idempotency {
  readonly scope: string;
  readonly requestHash: string;
}

/** The context of every write. */
export interface Write {
  readonly store: ResourceStore;
  /** Where earlier versions are read from; absent where they cannot be restored. */
  readonly log?: ChangeLog | undefined;
  readonly projectKey: string;
  readonly context: WriteContext;
  readonly preconditions: Preconditions;
  readonly idempotency?: Idempotency | undefined;
  /** Makes the response; called again for each new decision. What it throws refuses the write. */
  readonly responseOf: (outcome: Outcome) => Eventually<WriteResponse>;
}

/** More lost races in a row mean that something is wrong: in the queue a writer competes with newcomers only. */
const maxAttempts = 100;
const responseLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * Decides and commits until a commit succeeds. `decide` reads the store each time and throws errors for the client, so
 * a write that expects a version fails at its second attempt, while one that expects none is decided again.
 */
export async function commitDecided(write: Write, decide: () => Promise<Decision>): Promise<WriteResponse> {
  const first = await attempt(write, decide);
  if (typeof first !== 'string') return first;
  return serialized(write.store, `${write.projectKey}\n${first}`, async () => {
    for (let attempts = 1; attempts < maxAttempts; attempts += 1) {
      const result = await attempt(write, decide);
      if (typeof result !== 'string') return result;
    }
    const problem = 'Too many writes of this resource at the same time; try again.';
    throw new ServiceError('OverCapacity', problem, {}, { 'retry-after': '1' });
  });
}

/** One attempt: the response, or the contested id or key that another write changed meanwhile. */
async function attempt(write: Write, decide: () => Promise<Decision>): Promise<WriteResponse | string> {
  if (write.idempotency !== undefined) {
    const earlier = await earlierResponse(write, write.idempotency);
    if (earlier !== undefined) return earlier;
  }
  let decision: Decision;
  let response: WriteResponse;
  try {
    decision = await decide();
    response = await write.responseOf(decision.outcome);
  } catch (error) {
    return doneMeanwhile(write, error);
  }
  const { change, outcome } = decision;
  const idempotency = write.idempotency && { ...write.idempotency, ...response, expiresAtMs: expiryMs(write) };
  if (change === undefined && idempotency === undefined) return response;
  const { store, projectKey } = write;
  const result =
    change === undefined
      ? await store.storeResponse(projectKey, idempotency!)
      : await store.commit(idempotency === undefined ? change : { ...change, idempotency });
  if (result === 'committed') return response;
  const { id, key } = outcome.record;
  return result === 'keyTaken' ? `key ${key}` : `id ${id}`;
}

/**
 * The response of the same request where another process has carried it out meanwhile: what refuses it here may be its own
 * effect. Throws the refusal if there is none.
 */
export async function doneMeanwhile(write: Pick<Write, 'store' | 'context' | 'idempotency'>, refusal: unknown) {
  const done = write.idempotency && (await earlierResponse(write, write.idempotency));
  if (done === undefined) throw refusal;
  return done;
}

/** The response that is stored for a repeat of a request; undefined for its first one. */
export async function earlierResponse(
  { store, context }: Pick<Write, 'store' | 'context'>,
  { scope, requestHash }: Idempotency,
): Promise<WriteResponse | undefined> {
  const earlier = await store.getIdempotentResponse(scope, Date.parse(context.nowIso));
  if (earlier === undefined) return undefined;
  if (earlier.requestHash !== requestHash) {
    throw new ServiceError(
      'IdempotencyKeyReused',
      'The Idempotency-Key was used before with another request; a new request needs a new key.',
    );
  }
  const { status, headers, body } = earlier;
  return { status, headers, body };
}

/** When a stored response may be deleted. */
export function expiryMs({ context }: Pick<Write, 'context'>): number {
  return Date.parse(context.nowIso) + responseLifetimeMs;
}
