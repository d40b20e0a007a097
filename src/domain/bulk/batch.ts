import { checkOperation } from '../../contract/bulk.ts';
import { errorBody, ServiceError, ServiceErrors } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { stringifyJson } from '../json/parse.ts';
import { needsNoVersion } from '../resource/actions/define.ts';
import { type Committed, commitDecided, type WriteResponse } from '../resource/write/commit.ts';
import type { Outcome } from '../resource/write/decision.ts';
import { changesIn, decideOperations, type Given, type OperationResult, type Rules } from './decide.ts';
import { createView } from './view.ts';

/** A batch. */
export interface Batch extends Committed {
  readonly actions: Rules['actions'];
  /** True: if one operation is refused, none is carried out. */
  readonly isAtomic: boolean;
  /** True if the results have the resources. */
  readonly withResources: boolean;
  /** Characters of all resources that a batch may read and write. */
  readonly maxSize: number;
}

/**
 * Carries out operations in one commit, each over the results of those before it. Throws the error of the first one that
 * is refused if the batch is atomic, with its index as `operation`.
 */
export function runBatch(batch: Batch, operations: readonly JsonValue[]): Promise<WriteResponse> {
  const given = operations.map((value) => readOperation(value, batch.actions));
  const rules: Rules = { ...batch, isImport: false, stopsAtError: batch.isAtomic };
  return commitDecided(batch, async () => {
    const results = await decideOperations(given, createView(batch.store, batch.projectKey, batch.gate), rules);
    return { changes: changesIn(results), response: responseOf(results, given.length, batch) };
  });
}

function readOperation(value: JsonValue, actions: Rules['actions']): Given {
  try {
    return checkOperation(value, needsNoVersion(actions));
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
function errorAt(error: ServiceError, at: number): ServiceError {
  const ofOperation = ({ code, message, details, headers, status }: ServiceError) =>
    new ServiceError(code, `operations[${at}]: ${message}`, { ...details, operation: at }, headers, status);
  return new ServiceErrors([error, ...error.others].map(ofOperation));
}

function refusalText(error: ServiceError, at: number): string {
  return JSON.stringify({ status: error.status, error: errorBody(error, { operation: at }) });
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
