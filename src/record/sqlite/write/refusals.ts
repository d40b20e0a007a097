import { ServiceError } from '../../../contract/errors.ts';
import type { CommitOutcome, Enqueue, ForgetResult, GroupOutcome, Operation, OperationFailure } from './messages.ts';
import type { Writer } from './writer.ts';

const failures = {
  full: [
    'InsufficientStorage',
    'There is no room on the disk. Nothing was stored. Reads by id or key still work; try again when there is room.',
    '30',
  ],
  unknown: [
    'OutcomeUnknown',
    'The disk failed while the write was being made durable, so it may or may not have been stored. Repeat it with the same Idempotency-Key, or read the resource, to find out.',
    '5',
  ],
  busy: ['OverCapacity', 'Too many writes wait for the disk. Try again.', '1'],
  readOnly: [
    'OverCapacity',
    'The file system of the service is read-only at present. Nothing was stored; reads still work. Try again later.',
    '30',
  ],
  stopped: ['OverCapacity', 'The store cannot write now. Try again later.', '5'],
} as const;

/** A query that cannot be answered: no query is answered from indexes that lack acknowledged changes. */
const behind = {
  full: 'There is no room on the disk to index the last changes, so nothing can be listed or searched. Reads by id or key still work; try again when there is room.',
  other:
    'The last changes could not be indexed, so nothing can be listed or searched now. Reads by id or key still work.',
} as const;

/** The error for a client whose write failed. */
export function errorOf({ failure, message }: OperationFailure): Error {
  if (failure === 'rebuilding') return queryError(message);
  if (failure === 'damagedIndex') {
    const problem =
      'An index of the database is damaged, so the write was not carried out. Stop the service and run “grs check --rebuild-indexes”.';
    return Object.assign(new ServiceError('DataCorruption', problem), { cause: new Error(message) });
  }
  if (failure === 'error') return new Error(`The store could not apply a change: ${message}`);
  const [code, text, retryAfter] = failures[failure];
  return new ServiceError(code, text, {}, { 'retry-after': retryAfter });
}

/** Why queries are refused while the indexes cannot follow. */
export function queryProblemOf({ failure }: OperationFailure): string {
  return failure === 'full' ? behind.full : behind.other;
}

/** The error for a client whose query arrives meanwhile. */
export function queryError(problem: string): ServiceError {
  return new ServiceError('OverCapacity', problem, {}, { 'retry-after': '5' });
}

/** Stands for rows whose numbers cannot be read. */
const unknownRow = -1;

/** The writes of a `Writer` over a queue of operations. */
export function writesThrough(
  enqueue: Enqueue,
): Pick<
  Writer,
  'submit' | 'submitGroup' | 'forget' | 'write' | 'catchUp' | 'setAside' | 'writeProblem' | 'queryProblem'
> {
  let writeProblem: string | undefined;
  let isTrying = false;

  async function run<T>(operation: Operation): Promise<T> {
    const result = await enqueue(operation);
    if (typeof result !== 'object' || !('failure' in result)) return result as T;
    if (result.failure === 'unknown') writeProblem = result.message;
    throw errorOf(result);
  }

  /** Commits nothing but the count of commits. Not every write commits, so the success of others proves nothing. */
  async function tryAgain(): Promise<void> {
    isTrying = true;
    const result = await enqueue(['statements', []]);
    isTrying = false;
    if (!('failure' in (result as object))) writeProblem = undefined;
  }

  const catchingUp = new Map<string | undefined, Promise<void>>();
  let queryProblem: string | undefined;

  async function catchUp(projectKey?: string): Promise<void> {
    const result = await enqueue(projectKey === undefined ? ['catchUp'] : ['catchUp', projectKey]);
    if (typeof result !== 'object' || !('failure' in result)) {
      queryProblem = undefined;
      return;
    }
    if (result.failure === 'rebuilding') throw errorOf(result);
    queryProblem = queryProblemOf(result);
    throw queryError(queryProblem);
  }

  /** Many queries meet the same damage before it is set aside. */
  const beingSetAside = new Map<number, Promise<unknown>>();

  return {
    async setAside(rows) {
      const keys = rows.length > 0 ? rows : [unknownRow];
      const more = keys.filter((row) => !beingSetAside.has(row));
      if (more.length > 0) {
        const done = enqueue(['catchUp', undefined, more.filter((row) => row !== unknownRow)]).then(() => {
          for (const row of more) beingSetAside.delete(row);
        });
        for (const row of more) beingSetAside.set(row, done);
      }
      await Promise.all(keys.map((row) => beingSetAside.get(row)));
    },
    submit: run<CommitOutcome>,
    submitGroup: run<GroupOutcome>,
    forget: run<ForgetResult>,
    write: (statements) => run(['statements', statements]),
    writeProblem() {
      if (writeProblem !== undefined && !isTrying) void tryAgain();
      return writeProblem;
    },
    queryProblem() {
      // Queries may be sent elsewhere until this says that they are answered again.
      if (queryProblem !== undefined) void catchUp().catch(() => {});
      return queryProblem;
    },
    // The queries of one turn of the event loop share a request; later ones may have to see more changes.
    catchUp(projectKey) {
      const known = catchingUp.get(projectKey);
      if (known) return known;
      if (catchingUp.size === 0) setImmediate(() => catchingUp.clear());
      const begun = catchUp(projectKey);
      catchingUp.set(projectKey, begun);
      return begun;
    },
  };
}
