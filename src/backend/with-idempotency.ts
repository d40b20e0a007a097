import type { ActionRequest, ActionResponse, Backend } from '../domain/ports/backend.ts';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import { parseRecord } from '../domain/resource/resource.ts';
import { commitDecided, type Write, type WriteResponse } from '../domain/resource/write/commit.ts';
import { decideRecord } from '../domain/resource/write/companion-record.ts';
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
  let called: ActionResponse | undefined;
  const write: Write = {
    store,
    projectKey: backendProject(projectKey),
    context,
    preconditions: {},
    idempotency: { scope: idempotency!.scope, requestHash: idempotency!.requestHash },
    responseOf: () => responseOf(called!),
  };
  // A response is stored together with a change, here of the count of calls. A second attempt makes no second call.
  const { status, headers, body } = await commitDecided(write, async () => {
    called ??= await backend.call(request);
    const found = await store.get(write.projectKey, 'calls');
    return decideRecord(write.projectKey, 'calls', found && parseRecord(found), {}, context);
  });
  return { status, body, etag: headers.etag };
}

function responseOf({ status, body, etag }: ActionResponse): WriteResponse {
  return { status, body, headers: etag === undefined ? {} : { etag } };
}
