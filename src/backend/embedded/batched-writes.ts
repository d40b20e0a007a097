import { ServiceError } from '../../contract/errors.ts';
import type { JsonValue } from '../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../../domain/json/parse.ts';
import { scalarsOf } from '../../domain/json/values.ts';
import type { ActionRequest, ActionResponse } from '../../domain/ports/backend.ts';
import type { DocumentWrite, ResourceStore } from '../../domain/ports/resource-store.ts';
import { parseRecord } from '../../domain/resource/resource.ts';
import { commitDecided, type Write } from '../../domain/resource/write/commit.ts';
import { decideRecord } from '../../domain/resource/write/companion-record.ts';
import { withDocumentWrites } from '../../domain/resource/write/decision.ts';
import { checkTag, parsePreconditions } from '../../domain/resource/write/preconditions.ts';
import { sessionLimits } from '../../domain/sessions/sessions.ts';
import { contextOf, placeOf, storedOf, valueTag, type World, withStored } from './record.ts';

/** A write of one of the values of a project's backend. */
export interface ValueWrite {
  readonly request: ActionRequest;
  readonly id: 'document' | 'value';
  /** Makes the new value from the current one, which is undefined before the first write. */
  readonly edit: (value: JsonValue | undefined) => JsonValue;
}

export interface BatchedWritesDeps extends World {
  readonly store: ResourceStore;
  readonly maxDocumentBytes: number;
}

interface WriteDeps extends BatchedWritesDeps {
  /** Throws 413 where a project may have no further session. */
  readonly admitSession: (projectKey: string) => Promise<void>;
}

interface Pending {
  readonly write: ValueWrite;
  readonly resolve: (response: ActionResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Most writes in one commit. */
const maxBatch = 200;

/**
 * Writes values, and resolves when a write is durable. All writes of a project go to one record, and a commit takes as long
 * as the disk: writes that arrive meanwhile are applied one after the other in memory and share the next commit. As for
 * every write, `commitDecided` sees to it that none is lost where another process writes as well.
 */
export function batchWrites(deps: WriteDeps): (write: ValueWrite) => Promise<ActionResponse> {
  const queues = new Map<string, Pending[]>();

  async function drain(name: string, queue: Pending[]): Promise<void> {
    while (queue.length > 0) await commitAll(deps, queue.splice(0, batchLength(queue)));
    queues.delete(name);
  }

  return (write) => {
    const { promise, resolve, reject } = Promise.withResolvers<ActionResponse>();
    const place = placeOf(write.request, write.id);
    const name = [place.projectKey, place.id, write.id].join('/');
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

/** How many writes from the front share a commit. One with an Idempotency-Key does not: a commit stores one response. */
function batchLength(queue: readonly Pending[]): number {
  const alone = queue.findIndex(({ write }) => write.request.idempotency !== undefined);
  return Math.min(alone === -1 ? queue.length : Math.max(alone, 1), maxBatch);
}

/** Settles every write of the batch; never throws. */
async function commitAll(deps: WriteDeps, batch: readonly Pending[]): Promise<void> {
  try {
    const responses = await commitBatch(deps, batch);
    for (const [i, { resolve }] of batch.entries()) resolve(responses[i]!);
  } catch (error) {
    const isRefused = error instanceof ServiceError && error.status < 500;
    // A write that is refused must not fail the others.
    if (isRefused && batch.length > 1) for (const one of batch) await commitAll(deps, [one]);
    else for (const { reject } of batch) reject(error);
  }
}

async function commitBatch(deps: WriteDeps, batch: readonly Pending[]): Promise<readonly ActionResponse[]> {
  const { store } = deps;
  const { request, id } = batch.at(-1)!.write;
  const { projectKey, idempotency } = request;
  const place = placeOf(request, id);
  const isInSession = place.session !== undefined;
  const maxDocumentBytes = isInSession
    ? Math.min(deps.maxDocumentBytes, sessionLimits.documentBytes)
    : deps.maxDocumentBytes;
  // The record of a session has two values.
  const context = contextOf(request, deps, isInSession ? 2 * maxDocumentBytes : maxDocumentBytes);
  let texts: string[] = [];
  let tags: string[] = [];
  const write: Write = {
    store,
    projectKey: place.projectKey,
    context,
    preconditions: {},
    idempotency: idempotency && { scope: idempotency.scope, requestHash: idempotency.requestHash },
    responseOf: () => ({ status: 200, headers: { etag: tags.at(-1)! }, body: texts.at(-1)! }),
  };
  const { status, headers, body } = await commitDecided(write, async () => {
    const found = await store.get(place.projectKey, place.id);
    const stored = storedOf(found, place);
    if (isInSession && found === undefined) await deps.admitSession(projectKey);
    let value = stored && parseStoredJson(stored.text);
    const before = stored?.writes ?? 0;
    texts = batch.map((pending, i) => {
      checkConditions(pending.write, valueTag(before + i, stored && found), before + i > 0);
      value = pending.write.edit(value);
      return checkedText(value, maxDocumentBytes);
    });
    const resource = found && parseRecord(found);
    const last = { text: texts.at(-1)!, writes: before + batch.length };
    const next = withStored(resource, last, place, deps.nowMs());
    const decision = decideRecord(place.projectKey, place.id, resource, next, context);
    tags = texts.map((_, i) => valueTag(before + i + 1, decision.outcome.record));
    // The id of a session opens it, so that no event has it.
    if (isInSession) return decision;
    const documentWrites = batch.map(({ write: { request } }, i) => {
      return documentWrite(request, id, before + i + 1, context.nowIso);
    });
    return withDocumentWrites(decision, documentWrites);
  });
  // A repeat gets the stored response rather than the text that the write would make now.
  if (batch.length === 1) return [{ status, body, etag: headers.etag }];
  return texts.map((text, i) => ({ status: 200, body: text, etag: tags[i] }));
}

/** The log entry of a write. Writes that share a commit have an entry each, with their own client. */
function documentWrite(
  { clientId, externalUserId, correlationId }: ActionRequest,
  name: ValueWrite['id'],
  version: number,
  at: string,
): DocumentWrite {
  const origin = {
    type: 'backendDocumentWritten',
    cause: 'backend',
    at,
    clientId,
    externalUserId,
    correlationId,
  } as const;
  return { name, version, origin };
}

/** Throws 412. Each write of a batch is compared with what the one before it leaves. */
function checkConditions({ request: { headers } }: ValueWrite, etag: string, exists: boolean): void {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  checkTag(parsePreconditions(ifMatch, ifNoneMatch), etag, exists);
}

/** A merged document may exceed what one body may have. */
function checkedText(value: JsonValue, maxDocumentBytes: number): string {
  const text = stringifyJson(value);
  const fits = text.length * 3 <= maxDocumentBytes || Buffer.byteLength(text) <= maxDocumentBytes;
  const excess = fits ? scalarsOf(value) : `expected at most ${maxDocumentBytes} bytes`;
  if (typeof excess === 'number') return text;
  throw new ServiceError('ResourceSizeLimitExceeded', `The document would exceed its limits: ${excess}.`);
}
