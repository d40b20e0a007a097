import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { forgottenSchema, historyPageSchema } from '../../../contract/events.ts';
import { encodeSequence } from '../../../domain/history/cursor.ts';
import { historyPage } from '../../../domain/history/entries.ts';
import { historicId } from '../../../domain/history/versions.ts';
import { causes, eventTypes } from '../../../domain/ports/change-log.ts';
import { targetNotFound } from '../../../domain/resource/target.ts';
import type { ApiRequest, HttpResponse, QueryValues, Route } from '../../route.ts';
import { actorNamesFor } from '../actors.ts';
import type { RouteDeps } from '../all.ts';
import { externalUserHeader, externalUserOf } from '../headers.ts';
import { answer, jsonResponse } from '../json.ts';
import { belowOf, cursorParameters, limitOf, pageResponse } from '../pages.ts';
import { byIdAndKey, resourceTag, targetOf } from '../resources/resource.ts';

function diffOf(query: QueryValues) {
  const [diff, oldValues] = [query.get('diff') === true, query.get('oldValues') === true];
  if (oldValues && !diff) throw malformedParameter('oldValues', 'only together with diff=true');
  if (!diff) return 'none';
  return oldValues ? 'patchWithOldValues' : 'patch';
}

async function forget(deps: RouteDeps, request: ApiRequest): Promise<HttpResponse> {
  const { store, log, nowMs } = deps;
  const { projectKey, caller, correlationId } = request;
  const target = targetOf(request);
  const externalUserId = externalUserOf(request);
  const id = await historicId(deps, projectKey, target);
  if (id === undefined) throw targetNotFound(target);
  if (await store.get(projectKey, id)) {
    throw new ServiceError('InvalidOperation', `The Resource '${id}' exists; only a deleted one can be forgotten.`);
  }
  const at = new Date(nowMs()).toISOString();
  const by = { at, clientId: caller?.clientId ?? '', externalUserId, correlationId };
  const isForgotten = await log.forget(projectKey, id, { type: 'forgotten', cause: 'forget', ...by });
  if (!isForgotten) throw targetNotFound(target);
  return jsonResponse(200, { id, forgottenAt: at });
}

/** The history of a resource: who changed what, and forgetting it. */
export function historyRoutes(deps: RouteDeps): readonly Route[] {
  const { store } = deps;

  async function read(request: ApiRequest): Promise<HttpResponse> {
    const { projectKey, query } = request;
    const target = targetOf(request);
    const [limit, below] = [limitOf(request), belowOf(request)];
    const diff = diffOf(query);
    const id = await historicId(deps, projectKey, target);
    if (id === undefined) throw targetNotFound(target);
    const { entries, next } = await historyPage(deps, projectKey, id, { below, limit, diff }, request.signal());
    if (entries.length === 0 && below === undefined && !(await store.get(projectKey, id))) {
      throw targetNotFound(target);
    }
    const names = actorNamesFor(deps, request);
    const shown = names
      ? await Promise.all(entries.map(async (each) => ({ ...each, actor: await names.named(each.actor) })))
      : entries;
    return pageResponse(limit, shown, next === undefined ? undefined : encodeSequence(next));
  }

  const shared = {
    method: 'GET',
    tag: resourceTag,
    description:
      'Lists changes, newest first, including those of deleted resources that had the id before. A setting limits how long changes are stored. A deleted resource is found by its key until another resource takes the key.',
    access: ['manage_test', 'view_test'],
    query: {
      ...cursorParameters,
      diff: {
        type: 'boolean',
        default: false,
        description: 'With the differences between each version and the one before.',
      },
      oldValues: {
        type: 'boolean',
        default: false,
        description: 'With `diff=true`: operations that remove or replace a value have it as `oldValue`.',
      },
    },
    responses: {
      200: answer('A page of the changes of the resource.', historyPageSchema(eventTypes, causes), undefined, ['Link']),
    },
    handler: read,
  } as const satisfies Partial<Route>;

  const forgetShared = {
    method: 'DELETE',
    tag: resourceTag,
    description:
      'Deletes the stored versions of a deleted resource, its keys and the users who changed it: no version can be restored or read any more. The log still shows when changes were made, and by which client. Backups and receivers of events are not affected.',
    access: ['manage_project'],
    headers: [externalUserHeader],
    responses: { 200: answer('The resource is forgotten.', forgottenSchema) },
    errors: ['InvalidOperation'],
    handler: (request) => forget(deps, request),
  } as const satisfies Partial<Route>;

  return [
    ...byIdAndKey(shared, ['getHistoryById', 'getHistoryByKey'], 'Get the history of a resource by', {
      end: '/history',
    }),
    ...byIdAndKey(forgetShared, ['forgetResource', 'forgetResourceByKey'], 'Forget a deleted resource by', {
      ...{ end: '/history', key: 'the key that it had' },
    }),
  ];
}
