import type { LineStatus } from '../../contract/bulk.ts';
import { errorBody, ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Draft } from '../../contract/resource.ts';
import { stringifyJson } from '../json/parse.ts';
import type { OperationResult } from './decide.ts';

/** The report of an import about its lines. */

/** Numbers of lines. */
export type Counts = { -readonly [status in LineStatus]: number };

/** Why an import ended early, and the line to continue with. */
export interface Stopped {
  readonly error: ServiceError;
  readonly resumeAt: number;
}

/** The part of the summary about the file. */
export interface SourceNotes {
  /** Of CSV. */
  delimiter?: string;
  /** Columns without a type whose cells have values of several types, with the first line of each type. */
  readonly mixedColumns: { readonly column: string; readonly firstLines: Readonly<Record<string, number>> }[];
}

/** The result of a line. */
export function statusOf(result: OperationResult): LineStatus {
  return 'error' in result ? 'refused' : (result.outcome.kind as LineStatus);
}

/** Names that an import surely remembers. */
const rememberedNames = 50_000;

/** Notes which lines name the same resource, by its id and its key. */
export function createRepeats() {
  // When the younger map is full, the older one is dropped: deleting the oldest name each time makes a map slow.
  let younger = new Map<string, number>();
  let older = new Map<string, number>();
  return {
    /** The earlier line that named the resource of this one. */
    add(line: number, result: OperationResult): number | undefined {
      if ('error' in result) return undefined;
      const { id, key } = result.outcome.record;
      const names = [`id ${id}`, ...(key === undefined ? [] : [`key ${key}`])];
      const earlier = names.map((name) => younger.get(name) ?? older.get(name)).find((known) => known !== undefined);
      for (const name of names) younger.set(name, line);
      if (younger.size >= rememberedNames) [younger, older] = [new Map(), younger];
      return earlier;
    },
  };
}

/**
 * The result of a line. `unmade`: ids that nothing has, since the line that would have been given one was only checked.
 * `repeats`: the earlier line that named the same resource.
 */
export function lineText(
  line: number,
  draft: Draft | ServiceError,
  result: OperationResult,
  unmade: ReadonlySet<string>,
  repeats?: number,
): string {
  const status = statusOf(result);
  if ('error' in result) {
    const { id, key } = draft instanceof ServiceError ? {} : draft;
    return textOf({ line, status, id, key: key ?? undefined, error: errorBody(result.error) });
  }
  const { id, key, version } = result.outcome.record;
  return textOf({ line, status, id: unmade.has(id) ? undefined : id, key, version, repeats });
}

function textOf(value: object): string {
  return stringifyJson(value as JsonObject);
}

/** The last line. */
export function summaryText(
  counts: Counts,
  repeated: number,
  dryRun: boolean,
  notes: SourceNotes | undefined,
  stopped: Stopped | undefined,
): string {
  const lines = counts.created + counts.updated + counts.unchanged + counts.refused;
  const summary = {
    complete: stopped === undefined,
    lines,
    ...counts,
    ...(repeated > 0 && { repeated }),
    ...(notes?.delimiter !== undefined && { delimiter: notes.delimiter }),
    ...(notes && notes.mixedColumns.length > 0 && { mixedColumns: notes.mixedColumns }),
    ...(dryRun && { dryRun }),
  };
  return textOf(stopped ? { ...summary, resumeAt: stopped.resumeAt, error: errorBody(stopped.error) } : summary);
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
