import { checkOperation } from '../../contract/bulk.ts';
import { errorBody, ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { stringifyJson } from '../json/parse.ts';
import { doneMeanwhile, earlierResponse, expiryMs, type Write, type WriteResponse } from '../resource/write/commit.ts';
import type { Outcome } from '../resource/write/decision.ts';
import { commitGroup, type Group, type GroupResult } from './commit.ts';
import type { Given, OperationResult } from './decide.ts';

/** A batch. */
export interface Batch extends Pick<Write, 'store' | 'projectKey' | 'context' | 'idempotency'> {
  readonly actions: Group['actions'];
  /** True: if one operation is refused, none is carried out. */
  readonly isAtomic: boolean;
  /** True if the results have the resources. */
  readonly withResources: boolean;
  /** Characters of all resources that a batch may read and write. */
  readonly maxSize: number;
}

const maxAttempts = 100;

/**
 * Carries out operations in one commit, each over the results of those before it. Throws the error of the first one that
 * is refused if the batch is atomic, with its index as `operation`.
 */
export async function runBatch(batch: Batch, operations: readonly JsonValue[]): Promise<WriteResponse> {
  const { idempotency, isAtomic } = batch;
  const given = operations.map(readOperation);
  for (;;) {
    if (idempotency !== undefined) {
      const earlier = await earlierResponse(batch, idempotency);
      if (earlier !== undefined) return earlier;
    }
    let response: WriteResponse | undefined;
    let result: GroupResult;
    try {
      result = await commitGroup(given, {
        ...batch,
        storeResponse: (projectKey, response) => batch.store.storeResponse(projectKey, response),
        isImport: false,
        stopsAtError: isAtomic,
        writes: true,
        maxAttempts,
        onDecided(results) {
          response = responseOf(results, operations.length, batch);
          return idempotency && { ...idempotency, ...response, expiresAtMs: expiryMs(batch) };
        },
      });
    } catch (error) {
      return doneMeanwhile(batch, error);
    }
    if (result === 'contested') {
      const problem = 'Too many writes of these resources at the same time; try again.';
      throw new ServiceError('OverCapacity', problem, {}, { 'retry-after': '1' });
    }
    if (result !== 'responseExists') return response!;
  }
}

function readOperation(value: JsonValue): Given {
  try {
    return checkOperation(value);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function responseOf(results: readonly OperationResult[], count: number, batch: Batch): WriteResponse {
  const last = results.at(-1);
  if (batch.isAtomic && last && 'error' in last) throw errorAt(last.error, results.length - 1);
  if (results.length < count) {
    const problem = `The resources of the batch have more than ${batch.maxSize} characters together: send fewer operations.`;
    throw new ServiceError('ResourceSizeLimitExceeded', problem);
  }
  const texts = results.map((result, at) =>
    'error' in result ? refusalText(result.error, at) : outcomeText(result.outcome, batch.withResources),
  );
  const body = `{"results":[${texts.join(',')}]}`;
  return { status: 200, headers: {}, body };
}

/** Adds the index of the operation to an error. */
function errorAt({ code, message, details, headers, status }: ServiceError, at: number): ServiceError {
  return new ServiceError(code, `operations[${at}]: ${message}`, { ...details, operation: at }, headers, status);
}

function refusalText(error: ServiceError, at: number): string {
  const { code, message, details, status } = error;
  return JSON.stringify({ status, error: errorBody(code, message, { ...details, operation: at }, status) });
}

function outcomeText({ kind, record }: Outcome, withResource: boolean): string {
  const { id, key, version } = record;
  const status = kind === 'created' ? 201 : 200;
  const head = stringifyJson({
    status,
    outcome: kind,
    id,
    ...(key === undefined ? {} : { key }),
    version,
  } as JsonObject);
  return withResource ? `${head.slice(0, -1)},"resource":${record.current}}` : head;
}
