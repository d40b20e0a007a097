import { ServiceError } from '../../../contract/errors.ts';
import type { ChangeLog } from '../../ports/change-log.ts';
import type { Eventually } from '../../ports/eventually.ts';
import type { Change, IdempotentResponse, ResourceStore } from '../../ports/resource-store.ts';
import type { PointReads } from '../target.ts';
import type { Decision, Outcome, WriteContext } from './decision.ts';
import type { Gate } from './gate.ts';
import type { Preconditions } from './preconditions.ts';
import { serialized } from './serialize-writes.ts';

/** A response as it is stored for repeats; its content type is among the headers, in lower case. */
export type WriteResponse = Pick<IdempotentResponse, 'status' | 'headers' | 'body'>;

/** A request with an Idempotency-Key (decision 33), in the forms of `IdempotentResponse`. */
export type Idempotency = Pick<IdempotentResponse, 'scope' | 'requestHash'>;

/** The context of every write. */
export interface Write {
  readonly store: ResourceStore;
  /** Where earlier versions are read from; absent where they cannot be restored. */
  readonly log?: ChangeLog | undefined;
  readonly projectKey: string;
  /** Absent for what the service writes for itself. */
  readonly gate?: Gate | undefined;
  readonly context: WriteContext;
  readonly preconditions: Preconditions;
  readonly idempotency?: Idempotency | undefined;
  /** Makes the response; called again for each new decision. What it throws refuses the write. */
  readonly responseOf: (outcome: Outcome) => Eventually<WriteResponse>;
}

/** The part of a write that its commit needs. */
export type Committed = Pick<Write, 'store' | 'projectKey' | 'gate' | 'context' | 'idempotency'>;

/** The part of a store that commits. */
export type Commits = Pick<ResourceStore, 'commit' | 'commitAll' | 'storeResponse'>;

/** Changes that were decided together, with the response to them. */
interface DecidedChanges {
  readonly changes: readonly Change[];
  readonly response: WriteResponse;
}

/** More lost races in a row mean that something is wrong: in the queue a writer competes with newcomers only. */
const maxAttempts = 100;
const responseLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * Decides and commits until a commit succeeds. `decide` reads the store each time and throws errors for the client, so
 * a write that expects a version fails at its second attempt, while one that expects none is decided again. `behind` is the id or key
 * whose writes it waits for from the beginning.
 */
export function commitDecided(write: Write, decide: () => Promise<Decision>, behind?: string): Promise<WriteResponse>;
/** The same with any number of changes, which are committed together. */
export function commitDecided(write: Committed, decide: () => Promise<DecidedChanges>): Promise<WriteResponse>;
export async function commitDecided(
  write: Committed & Partial<Write>,
  decide: () => Promise<Decision | DecidedChanges>,
  behind?: string,
): Promise<WriteResponse> {
  const { idempotency } = write;
  const attempt = async (): Promise<Attempt<WriteResponse>> => {
    const earlier = idempotency && (await earlierResponse(write.store, write.context.nowIso, idempotency));
    if (earlier !== undefined) return { result: earlier };
    let changes: readonly Change[];
    let response: WriteResponse;
    try {
      const decided = await admitted(write, await decide());
      changes = 'changes' in decided ? decided.changes : decided.change ? [decided.change] : [];
      response = 'changes' in decided ? decided.response : await write.responseOf!(decided.outcome);
    } catch (error) {
      return { result: await doneMeanwhile(write, error) };
    }
    const stored = idempotency && storedResponse(idempotency, response, write.context);
    const contested = await commitTogether(write, changes, stored);
    return contested === undefined ? { result: response } : { contested };
  };
  const done = await attemptInTurn(write, maxAttempts, attempt, behind);
  if (done !== undefined) return done;
  const problem = 'Too many writes of the same resource at the same time; try again.';
  throw new ServiceError('OverCapacity', problem, {}, { 'retry-after': '1' });
}

/** Changes that are decided together passed the gate one by one. */
async function admitted(
  { gate, store }: Pick<Write, 'gate'> & { readonly store: PointReads },
  decided: Decision | DecidedChanges,
): Promise<Decision | DecidedChanges> {
  if (!gate || 'changes' in decided) return decided;
  return gate.admit(decided, { ...pointReads(store), marked: gate.marked });
}

function pointReads(store: PointReads): PointReads {
  return { get: (...target) => store.get(...target), getByKey: (...target) => store.getByKey(...target) };
}

/** The result of an attempt, or the id or key that another write changed meanwhile. */
type Attempt<Result> = { readonly result: Result } | { readonly contested: string };

/**
 * Attempts a write until it is not contested: once at once, unless it is known what it competes for, then behind the writes
 * of this process that wait for the same resource. Undefined where the attempts do not suffice.
 */
export async function attemptInTurn<Result>(
  { store, projectKey }: Pick<Write, 'projectKey'> & { readonly store: object },
  most: number,
  attempt: () => Promise<Attempt<Result>>,
  behind?: string,
): Promise<Result | undefined> {
  const first = behind === undefined ? await attempt() : { contested: behind };
  if ('result' in first) return first.result;
  return serialized(store, `${projectKey}\n${first.contested}`, async () => {
    for (let attempts = 1; attempts < most; attempts += 1) {
      const next = await attempt();
      if ('result' in next) return next.result;
    }
    return undefined;
  });
}

/** Commits changes in one transaction, with the response for repeats. Returns the contested id or key, if there is one. */
export async function commitTogether(
  { store, projectKey, gate }: Pick<Write, 'projectKey' | 'gate'> & { readonly store: Commits },
  changes: readonly Change[],
  response?: IdempotentResponse,
): Promise<string | undefined> {
  const [first, ...others] = changes;
  if (first === undefined) {
    const stored = response && (await store.storeResponse(projectKey, response));
    return stored === 'responseExists' ? response?.scope : undefined;
  }
  const own = response === undefined ? first : { ...first, idempotency: response };
  const outcome = others.length === 0 ? await store.commit(own) : await store.commitAll([own, ...others]);
  if (outcome === 'committed') return undefined;
  const { outcome: problem, at } = typeof outcome === 'string' ? { outcome, at: 0 } : outcome;
  if (problem === 'rulesBroken') gate?.forget(projectKey);
  const change = changes[at]!;
  const { id, key } = change.kind === 'delete' ? { id: change.id, key: undefined } : change.next;
  return problem === 'keyTaken' ? `key ${key}` : `id ${id}`;
}

/**
 * The response of the same request where another process has carried it out meanwhile: what refuses it here may be its own
 * effect. Throws the refusal if there is none.
 */
async function doneMeanwhile(write: Committed, refusal: unknown): Promise<WriteResponse> {
  const { store, context, idempotency } = write;
  const done = idempotency && (await earlierResponse(store, context.nowIso, idempotency));
  if (done === undefined) throw refusal;
  return done;
}

/** The response that is stored for a repeat of a request; undefined for its first one. */
export async function earlierResponse(
  store: Pick<ResourceStore, 'getIdempotentResponse'>,
  nowIso: string,
  { scope, requestHash }: Idempotency,
): Promise<WriteResponse | undefined> {
  const earlier = await store.getIdempotentResponse(scope, Date.parse(nowIso));
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

/** A response as it is stored for repeats. */
export function storedResponse(
  idempotency: Idempotency,
  response: WriteResponse,
  { nowIso }: Pick<WriteContext, 'nowIso'>,
): IdempotentResponse {
  return { ...idempotency, ...response, expiresAtMs: Date.parse(nowIso) + responseLifetimeMs };
}
