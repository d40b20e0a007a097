import type { ActionRequest, ActionResponse, Backend } from '../domain/ports/backend.ts';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import { type Committed, commitDecided } from '../domain/resource/write/commit.ts';
import { backendProject, contextOf, type World } from './embedded/record.ts';

export interface IdempotencyDeps extends World {
  readonly store: ResourceStore;
  readonly maxDocumentBytes: number;
}

/**
 * Stores the responses of a remote backend to requests with an Idempotency-Key, for repeats (decision 33). The backend gets
 * the key as well: where this process dies before a response is stored, the backend sees the key again.
 */
export function withIdempotency(backend: Backend, deps: IdempotencyDeps): Backend {
  return { call: (request) => (request.idempotency ? callOnce(backend, request, deps) : backend.call(request)) };
}

async function callOnce(backend: Backend, request: ActionRequest, deps: IdempotencyDeps): Promise<ActionResponse> {
  const { store, maxDocumentBytes } = deps;
  const { projectKey, idempotency } = request;
  const context = contextOf(request, deps, maxDocumentBytes);
  const { scope, requestHash } = idempotency!;
  const write: Committed = {
    ...{ store, projectKey: backendProject(projectKey), context },
    idempotency: { scope, requestHash },
  };
  let called: ActionResponse | undefined;
  const { status, headers, body } = await commitDecided(write, async () => {
    // A second attempt makes no second call.
    called ??= await backend.call(request);
    const { etag, ...response } = called;
    return { changes: [], response: { ...response, headers: etag === undefined ? {} : { etag } } };
  });
  return { status, body, etag: headers.etag };
}
