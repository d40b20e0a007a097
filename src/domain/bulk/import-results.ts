import type { LineStatus } from '../../contract/bulk.ts';
import { errorBody, ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Draft } from '../../contract/resource.ts';
import { stringifyJson } from '../json/parse.ts';
import type { OperationResult } from './decide.ts';

/** What an import says of its lines. */

/** Numbers of lines. */
export type Counts = { -readonly [status in LineStatus]: number };

/** Why an import ended before its lines did, and the line to go on with. */
export interface Stopped {
  readonly error: ServiceError;
  readonly resumeAt: number;
}

/** What became of a line. */
export function statusOf(result: OperationResult): LineStatus {
  return 'error' in result ? 'refused' : (result.outcome.kind as LineStatus);
}

/** The result of a line. `unmade`: ids that nothing has, since the line that would have been given one was only checked. */
export function lineText(
  line: number,
  draft: Draft | ServiceError,
  result: OperationResult,
  unmade: ReadonlySet<string>,
): string {
  const status = statusOf(result);
  if ('error' in result) {
    const { id, key } = draft instanceof ServiceError ? {} : draft;
    return textOf({ line, status, id, key: key ?? undefined, error: bodyOf(result.error) });
  }
  const { id, key, version } = result.outcome.record;
  return textOf({ line, status, id: unmade.has(id) ? undefined : id, key, version });
}

function bodyOf({ code, message, details, status }: ServiceError) {
  return errorBody(code, message, details, status);
}

function textOf(value: object): string {
  return stringifyJson(value as JsonObject);
}

/** The last line. */
export function summaryText(counts: Counts, dryRun: boolean, stopped: Stopped | undefined): string {
  const lines = counts.created + counts.updated + counts.unchanged + counts.refused;
  const summary = { complete: stopped === undefined, lines, ...counts, ...(dryRun && { dryRun }) };
  return textOf(stopped ? { ...summary, resumeAt: stopped.resumeAt, error: bodyOf(stopped.error) } : summary);
}

/** The error for a client that sends without reading. */
export function notRead(): ServiceError {
  const problem =
    'The results are not being read, so the import has ended. Read them while you send, or ask for results=refused.';
  return new ServiceError('ResponseNotRead', problem);
}

/** The error for a client that sends nothing more. */
export function silent(): ServiceError {
  return new ServiceError('RequestTimeout', 'No line arrived for 20 seconds.');
}
