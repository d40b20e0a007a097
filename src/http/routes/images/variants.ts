import type { JsonObject } from '../../../contract/json.ts';
import { imageActions } from '../../../domain/image/actions.ts';
import { isVariantId, variantProjectOf } from '../../../domain/image/variant.ts';
import { viewVariant } from '../../../domain/image/view.ts';
import { parseStoredJson, stringifyJson } from '../../../domain/json/parse.ts';
import type { ResourceRecord, ResourceStore } from '../../../domain/ports/resource-store.ts';
import type { Actions } from '../../../domain/resource/actions/define.ts';
import { refusing } from '../../../domain/resource/actions/index.ts';
import { projectionOf } from '../../../domain/resource/target.ts';
import type { Outcome } from '../../../domain/resource/write/decision.ts';
import { etagOf } from '../../../domain/resource/write/preconditions.ts';
import { updateByActions } from '../../../domain/resource/write/update.ts';
import type { ApiRequest, HttpResponse } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { notModified } from '../headers.ts';
import type { ReadDeps } from '../resources/published.ts';
import { writeOf } from '../resources/resource.ts';

/** The variant with the id. Paths of resources can name one, but resources with such an id take precedence (decision 60). */
export async function findVariant(
  store: Pick<ResourceStore, 'get'>,
  projectKey: string,
  id: string | undefined,
): Promise<ResourceRecord | undefined> {
  return id !== undefined && isVariantId(id) ? store.get(variantProjectOf(projectKey), id) : undefined;
}

/** E2 on a variant. */
export async function readVariant(deps: ReadDeps, request: ApiRequest, record: ResourceRecord): Promise<HttpResponse> {
  const document = parseStoredJson(projectionOf(record, request.query.get('staged') === true)) as JsonObject;
  const headers = { etag: etagOf(record) };
  return notModified(request, headers) ?? { status: 200, headers, body: stringifyJson(shownVariant(deps, document)) };
}

/** A variant as the caller may see it. */
export function shownVariant(
  { baseUrl, hidden }: Pick<ReadDeps, 'baseUrl' | 'hidden'>,
  document: JsonObject,
): JsonObject {
  const view = viewVariant(document, baseUrl);
  return hidden?.without(view) ?? view;
}

/** E10 on a variant. `actions` are those of `restrictActions`. */
export async function updateVariant(
  deps: RouteDeps,
  request: ApiRequest,
  record: ResourceRecord,
  actions: Actions,
): Promise<HttpResponse> {
  const write = {
    ...writeOf(request, deps),
    projectKey: variantProjectOf(request.projectKey),
    responseOf: ({ record: next, documents: { current } }: Outcome) => ({
      status: 200,
      headers: { etag: etagOf(next) },
      body: stringifyJson(viewVariant(current, deps.baseUrl)),
    }),
  };
  return updateByActions(write, { id: record.id }, request.json, actions);
}

const shared: ReadonlySet<string> = new Set(['publish', 'revertStagedChanges', 'doSomeThing']);

/** The update actions of variants: those of images, and a few of resources. All others are validated, and then refused. */
export function restrictActions(actions: Actions): Actions {
  const own = new Map(imageActions.map((action) => [action.name, action]));
  const allowed = [...own.keys(), ...shared].join(', ');
  return new Map(
    [...actions].map(([name, action]) => [
      name,
      own.get(name) ?? (shared.has(name) ? action : refusing(action, `a variant of images has only ${allowed}`)),
    ]),
  );
}
