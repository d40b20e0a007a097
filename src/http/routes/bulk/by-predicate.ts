import { matchLineSchema, matchSummarySchema, type Operation } from '../../../contract/bulk.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { byPredicateSchema, checkActions, checkByPredicate } from '../../../contract/update.ts';
import { type ByPredicate, changeByPredicate, checkExpected } from '../../../domain/bulk/by-predicate.ts';
import { isoOf } from '../../../domain/instant.ts';
import { parseWhere } from '../../../domain/paging.ts';
import { resourceUpdateSchema } from '../../../domain/resource/actions/define.ts';
import { readActions } from '../../../domain/resource/actions/run.ts';
import type { ApiRequest, HttpResponse, ParameterTable, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { externalUserHeader } from '../headers.ts';
import { jsonBody } from '../json.ts';
import { predicates } from '../resources/list-parameters.ts';
import { collectionPath, resourceTag, writeOf } from '../resources/resource.ts';
import { ndjsonType } from './import.ts';

const [defaultLimit, maxLimit] = [10_000, 100_000];

const parameters: ParameterTable = {
  where: { ...predicates.where, description: 'Refused here.', elsewhere: 'send it in the body' },
  'var.*': predicates['var.*'],
  staged: {
    ...predicates.staged,
    description: 'Whether `where` is about the staged projections instead of the current ones.',
  },
  dryRun: {
    type: 'boolean',
    default: false,
    description: 'With `true`, every resource is checked and nothing is written.',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: maxLimit,
    default: defaultLimit,
    description: 'Most resources to change.',
  },
  after: {
    type: 'string',
    description: 'Only resources with a greater id: `resumeAfter` of a change that was not complete.',
    example: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11',
  },
  results: {
    type: 'string',
    default: 'all',
    words: ['all', 'refused'],
    description: 'With `refused`, only resources that were refused or skipped are reported, and the summary.',
  },
};

const example = { status: 'updated', id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11', key: 'shoe-1', version: 4 };

/** A change of all resources that match a predicate, reported one by one. */
export function byPredicateRoutes(deps: RouteDeps): readonly Route[] {
  return [
    {
      operationId: 'changeResourcesByPredicate',
      method: 'POST',
      path: `${collectionPath}/by-predicate`,
      tag: resourceTag,
      access: ['manage_test'],
      summary: 'Update or delete all resources that match',
      description:
        'Resources are changed by id, in groups that are committed together. Each is decided on what it is when its turn comes: no concurrent change is lost, and a resource that no longer matches is skipped. The response has a line for each resource once its change is durable, and a summary as the last one. To resume, send the same with `after`; or with an `Idempotency-Key`, which also counts what was done before a response was cut.',
      query: parameters,
      headers: [externalUserHeader],
      body: jsonBody(byPredicateSchema(resourceUpdateSchema(deps.actions))),
      responses: {
        200: {
          description: 'A line for each resource, and the summary as the last one.',
          content: {
            [ndjsonType]: {
              schema: { title: 'ByPredicateResult', oneOf: [matchLineSchema, matchSummarySchema] },
              example,
            },
          },
        },
      },
      errors: ['PreconditionFailed', 'QueryTimedOut'],
      idempotent: true,
      handler: (request) => changeMatching(deps, request),
    },
  ];
}

async function changeMatching(deps: RouteDeps, request: ApiRequest): Promise<HttpResponse> {
  const { query, json, draining } = request;
  const { store, gate, projectKey, context, idempotency } = writeOf(request, deps);
  const limit = (query.get('limit') as number | undefined) ?? defaultLimit;
  const { where, actions, expect } = checkByPredicate(json);
  // What is wrong with the actions themselves refuses the request, not each resource.
  if (actions !== undefined) readActions(checkActions(actions), deps.actions);
  const dryRun = query.get('dryRun') === true;
  const gone = request.signal();
  const change: ByPredicate = {
    store,
    gate,
    projectKey,
    where: parseWhere(new Map([...query, ['where', where]])),
    staged: query.get('staged') === true,
    operationOn(id): Operation {
      const target = { id };
      if (actions === undefined) return { kind: 'delete', target, version: undefined };
      return { kind: 'update', target, request: { version: undefined, actions } };
    },
    actions: deps.actions,
    contextOf: () => ({ ...context, nowIso: isoOf(deps.nowMs()) }),
    dryRun,
    limit,
    afterId: query.get('after') as string | undefined,
    expect,
    refusedOnly: query.get('results') === 'refused',
    idempotency: dryRun ? undefined : idempotency,
    stopReason() {
      // Nothing sends this message: the client has gone.
      if (gone.aborted) return new ServiceError('ResponseNotRead', 'The client has disconnected.');
      if (!draining.aborted) return undefined;
      return new ServiceError('OverCapacity', 'The service is shutting down. Continue from `resumeAfter`.');
    },
    pace: deps.pace,
  };
  request.occupy('imports');
  await checkExpected(change, gone);
  async function* open(): AsyncGenerator<string> {
    deps.pace.add();
    try {
      yield* changeByPredicate(change);
    } finally {
      deps.pace.remove();
    }
  }
  return { status: 200, headers: { 'content-type': ndjsonType }, body: '', stream: { sizeBytes: undefined, open } };
}
