import { ServiceError } from '../../../contract/errors.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { type RenditionStatuses, renditionStatuses } from '../../../domain/image/deferred.ts';
import { isVariantId, variantProjectOf } from '../../../domain/image/variant.ts';
import { viewVariant } from '../../../domain/image/view.ts';
import { parseStoredJson, stringifyJson } from '../../../domain/json/parse.ts';
import type { ResourceRecord, ResourceStore } from '../../../domain/ports/resource-store.ts';
import type { ActionDefinition, Actions } from '../../../domain/resource/actions/define.ts';
import { projectionOf } from '../../../domain/resource/target.ts';
import { etagOf, isNotModified, parsePreconditions } from '../../../domain/resource/write/preconditions.ts';
import { updateByActions } from '../../../domain/resource/write/update.ts';
import type { ApiRequest, HttpResponse } from '../../route.ts';
import { type ResourceDeps, toHttpResponse, writeOf } from '../resources/resource.ts';

type VariantReads = Pick<ResourceDeps, 'store' | 'baseUrl'>;

/** The variant of the project with that id, where a path may mean one: ids of resources come first (decision 60). */
export async function findVariant(
  store: ResourceStore,
  projectKey: string,
  id: string | undefined,
): Promise<ResourceRecord | undefined> {
  return id !== undefined && isVariantId(id) ? store.get(variantProjectOf(projectKey), id) : undefined;
}

/** What is pending becomes ready without a new version: no entity tag may stand for it. */
export function variantTag(version: number, statuses: RenditionStatuses): { readonly etag?: string } {
  return statuses.size > 0 ? {} : { etag: etagOf(version) };
}

/** E2 on a variant. */
export async function readVariant(
  deps: VariantReads,
  request: ApiRequest,
  record: ResourceRecord,
): Promise<HttpResponse> {
  const document = parseStoredJson(projectionOf(record, request.query.get('staged') === true)) as JsonObject;
  const statuses = await renditionStatuses(deps.store, request.projectKey, [document]);
  const body = stringifyJson(viewVariant(document, deps.baseUrl, statuses));
  const headers = variantTag(record.version, statuses);
  const { ifNoneMatch } = parsePreconditions(undefined, request.headers['if-none-match']);
  const isCurrent = headers.etag !== undefined && isNotModified(ifNoneMatch, record.version);
  return isCurrent ? { status: 304, headers, body: '' } : { status: 200, headers, body };
}

/** E10 on a variant: its images change by uploads only. */
export async function updateVariant(
  deps: ResourceDeps,
  request: ApiRequest,
  record: ResourceRecord,
): Promise<HttpResponse> {
  const { projectKey } = request;
  const documents = [record.current, projectionOf(record, true)].map((text) => parseStoredJson(text) as JsonObject);
  const statuses = await renditionStatuses(deps.store, projectKey, documents);
  const write = writeOf(request, deps, ({ record: next, documents: { current } }) => ({
    status: 200,
    headers: variantTag(next.version, statuses),
    body: stringifyJson(viewVariant(current, deps.baseUrl, statuses)),
  }));
  const target = { id: record.id };
  const inVariants = { ...write, projectKey: variantProjectOf(projectKey) };
  return toHttpResponse(await updateByActions(inVariants, target, request.json, variantActions(deps.actions)));
}

const allowed: ReadonlySet<string> = new Set(['publish', 'revertStagedChanges', 'doSomeThing']);
const restricted = new WeakMap<Actions, Actions>();

/** The actions with those that a variant does not have refused, after everything else about them was found good. */
function variantActions(actions: Actions): Actions {
  const known = restricted.get(actions);
  if (known !== undefined) return known;
  const made = new Map([...actions].map(([name, action]) => [name, allowed.has(name) ? action : refusing(action)]));
  restricted.set(actions, made);
  return made;
}

function refusing(definition: ActionDefinition): ActionDefinition {
  return {
    ...definition,
    changes: 'resource',
    apply() {
      const problem = `${definition.name}: a variant of images has only ${[...allowed].join(', ')}`;
      throw new ServiceError('InvalidOperation', `${problem}.`);
    },
  };
}
