import { objectTestTypeSchema } from '../../../contract/resource.ts';
import type { ResourceRecord, ResourceStore } from '../../../domain/ports/resource-store.ts';
import type { Store } from '../../../domain/ports/store.ts';
import type { Actions } from '../../../domain/resource/actions/define.ts';
import type { Target } from '../../../domain/resource/target.ts';
import type { Write, WriteResponse } from '../../../domain/resource/write/commit.ts';
import type { Outcome } from '../../../domain/resource/write/decision.ts';
import { etagOf, parsePreconditions } from '../../../domain/resource/write/preconditions.ts';
import type { ApiRequest, HttpResponse, ResponseDescription, Schema } from '../../route.ts';
import { externalUserOf } from '../headers.ts';

/** What the routes of a single resource need. */
export interface ResourceDeps {
  readonly store: ResourceStore;
  /** For reads that may be behind (decision 56). */
  readonly eventual?: Store['eventual'];
  readonly actions: Actions;
  readonly maxDocumentBytes: number;
  /** The public address, before the path of links (decision 31); empty where there is none: links are paths then. */
  readonly baseUrl: string;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

export const resourceTag = 'Resources';
export const collectionPath = '/:projectKey/resource';
export const idPath = '/:projectKey/resource/:id';
export const keyPath = '/:projectKey/resource/key=:key';

/** The resource that the path of a request names. */
export function targetOf({ params }: ApiRequest): Target {
  return params.key === undefined ? { id: params.id ?? '' } : { key: params.key };
}

/** Where a resource is, percent-encoded: ids may hold any character but control characters. */
export function locationOf({ baseUrl }: ResourceDeps, { projectKey, id }: ResourceRecord): string {
  return `${baseUrl}/${projectKey}/resource/${encodeURIComponent(id)}`;
}

/** Gathers what a write is, beside its body. */
export function writeOf(
  request: ApiRequest,
  deps: ResourceDeps,
  responseOf: (outcome: Outcome) => WriteResponse,
): Write {
  const { store, maxDocumentBytes, nowMs, newId } = deps;
  const { projectKey, headers, caller, idempotency } = request;
  const context = {
    nowIso: new Date(nowMs()).toISOString(),
    clientId: caller?.clientId ?? '',
    externalUserId: externalUserOf(request),
    ...{ newId, maxDocumentBytes },
  };
  const preconditions = parsePreconditions(headers['if-match'], headers['if-none-match']);
  return { store, projectKey, context, preconditions, idempotency, responseOf };
}

/** An answer with a resource: its text as it is stored, and its entity tag. */
export function resourceResponse(status: number, { record }: Outcome): WriteResponse {
  return { status, headers: { etag: etagOf(record.version) }, body: record.current };
}

/** The answer of a write as the HTTP layer takes it. */
export function toHttpResponse({ status, headers, body }: WriteResponse): HttpResponse {
  const { 'content-type': contentType, ...others } = headers;
  return contentType === undefined ? { status, headers, body } : { status, headers: others, body, contentType };
}

/** The first example of a schema. */
export function exampleOf(schema: Schema): unknown {
  return (schema.examples as readonly unknown[] | undefined)?.[0];
}

export const resourceContent = {
  'application/json': { schema: objectTestTypeSchema, example: exampleOf(objectTestTypeSchema) },
} as const satisfies ResponseDescription['content'];
