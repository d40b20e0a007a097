import { ServiceError } from '../../contract/errors.ts';
import type { JsonValue } from '../../contract/json.ts';
import { excessOf } from '../../domain/json/limits.ts';
import { stringifyJson } from '../../domain/json/parse.ts';
import type { ActionRequest, ActionResponse } from '../../domain/ports/backend.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import { commitDecided, type Write } from '../../domain/resource/write/commit.ts';
import { backendProject, contextOf, decideStored, keptValueOf, storedOf, type World } from './record.ts';

/** A write of one of the values that a project's backend keeps. */
export interface ValueWrite {
  readonly request: ActionRequest;
  readonly id: 'document' | 'value';
  /** The new value out of the present one, which is undefined before the first write. */
  readonly edit: (value: JsonValue | undefined) => JsonValue;
}

export interface BatchedWritesDeps extends World {
  readonly store: ResourceStore;
  readonly maxDocumentBytes: number;
}

interface Pending {
  readonly write: ValueWrite;
  readonly resolve: (answer: ActionResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Most writes in one commit. */
const maxBatch = 200;

/**
 * Writes values, and answers each when it is durable. All writes of a project meet on one record, and a commit takes as
 * long as the disk does: so those that come meanwhile are done one after the other in memory and share the next commit.
 * That nothing is lost when another process writes too is, as for every write, the doing of `commitDecided`.
 */
export function batchWrites(deps: BatchedWritesDeps): (write: ValueWrite) => Promise<ActionResponse> {
  const queues = new Map<string, Pending[]>();

  async function drain(name: string, queue: Pending[]): Promise<void> {
    while (queue.length > 0) await commitAll(deps, queue.splice(0, batchLength(queue)));
    queues.delete(name);
  }

  return (write) => {
    const { promise, resolve, reject } = Promise.withResolvers<ActionResponse>();
    const name = `${write.request.projectKey}/${write.id}`;
    const queue = queues.get(name);
    const pending: Pending = { write, resolve, reject };
    if (queue) queue.push(pending);
    else {
      const own = [pending];
      queues.set(name, own);
      void drain(name, own);
    }
    return promise;
  };
}

/** How many from the front share a commit. A commit keeps one answer for repeats, so who wants that goes alone. */
function batchLength(queue: readonly Pending[]): number {
  const alone = queue.findIndex(({ write }) => write.request.idempotency !== undefined);
  return Math.min(alone === -1 ? queue.length : Math.max(alone, 1), maxBatch);
}

/** Settles every write of the batch; never throws. */
async function commitAll(deps: BatchedWritesDeps, batch: readonly Pending[]): Promise<void> {
  try {
    const answers = await commitBatch(deps, batch);
    batch.forEach(({ resolve }, i) => {
      resolve(answers[i]!);
    });
  } catch (error) {
    const isRefused = error instanceof ServiceError && error.status < 500;
    // One that is refused must not take the others with it.
    if (isRefused && batch.length > 1) for (const one of batch) await commitAll(deps, [one]);
    else for (const { reject } of batch) reject(error);
  }
}

async function commitBatch(deps: BatchedWritesDeps, batch: readonly Pending[]): Promise<readonly ActionResponse[]> {
  const { store, maxDocumentBytes } = deps;
  const { request, id } = batch.at(-1)!.write;
  const { projectKey, idempotency } = request;
  const context = contextOf(request, deps, maxDocumentBytes);
  let texts: string[] = [];
  const write: Write = {
    ...{ store, projectKey: backendProject(projectKey), context, preconditions: {} },
    idempotency: idempotency && { scope: idempotency.scope, requestHash: idempotency.requestHash },
    answerOf: () => ({ status: 200, headers: {}, body: texts.at(-1)! }),
  };
  const answer = await commitDecided(write, async () => {
    const found = await store.get(backendProject(projectKey), id);
    let value = found && keptValueOf(found);
    texts = batch.map((pending) => {
      value = pending.write.edit(value);
      return checkedText(value, maxDocumentBytes);
    });
    const writes = (found ? storedOf(found).writes : 0) + batch.length;
    return decideStored(found, { projectKey, id }, value!, { text: texts.at(-1)!, writes }, context);
  });
  // A repeat gets the answer that was kept, which is not what the write would make now.
  if (batch.length === 1) return [{ status: answer.status, body: answer.body }];
  return texts.map((body) => ({ status: 200, body }));
}

/** Merging may make more of a document than one body can bring. */
function checkedText(value: JsonValue, maxDocumentBytes: number): string {
  const text = stringifyJson(value);
  const fits = text.length * 3 <= maxDocumentBytes || Buffer.byteLength(text) <= maxDocumentBytes;
  const excess = fits ? excessOf(value) : `at most ${maxDocumentBytes} bytes expected`;
  if (excess === undefined) return text;
  throw new ServiceError('ResourceSizeLimitExceeded', `The document would exceed its limits: ${excess}.`);
}
