import type { ImportLine, ImportSummary } from 'generic-resource-service-client/api-types';
import { pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { jsonLines, openStream } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import type { Portion } from './portions.ts';

export const modes = ['merge', 'replace', 'overwrite', 'create'] as const;
export type Mode = (typeof modes)[number];

/** A line that was not taken. */
export interface RefusedLine {
  /** In the file, from 1. */
  readonly line: number;
  readonly message: string;
  /** The result of the line as the service sent it. */
  readonly result: JsonMap;
  /** The line as the service got it. */
  readonly text: string;
}

/** How far an import is. */
export interface Report {
  readonly lines: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  /** The first ones, as many as are kept. */
  readonly refusals: readonly RefusedLine[];
  readonly sentBytes: number;
  /** Lines that name the resource of an earlier one, and the first of them. */
  readonly repeated: number;
  readonly firstRepeat: readonly [line: number, earlier: number] | undefined;
  /** Columns with values of several types: the first line of each type. */
  readonly mixed: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const emptyReport: Report = {
  ...{ lines: 0, created: 0, updated: 0, unchanged: 0, refused: 0 },
  ...{ refusals: [], sentBytes: 0, repeated: 0, firstRepeat: undefined, mixed: {} },
};

/** More are counted, but not kept. */
const keptRefusals = 10_000;

interface SendOptions {
  readonly projectKey: string;
  readonly mode: Mode;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

/** Lines of the file by the names of their resources. */
type KnownLines = Map<string, number>;

/** The line before that named the same resource. */
function earlierLine(known: KnownLines, { id, key }: ImportLine, line: number): number | undefined {
  const names = [...(id === undefined ? [] : [`id ${id}`]), ...(key === undefined ? [] : [`key ${key}`])];
  const earlier = names.map((name) => known.get(name)).find((found) => found !== undefined);
  for (const name of names) known.set(name, line);
  return earlier;
}

function add(report: Report, portion: Portion, result: JsonMap, known: KnownLines): Report {
  const { line, status, error } = result as unknown as ImportLine;
  if (status === undefined) return report;
  const own = portion.lineOf(line);
  const counted = { ...report, lines: report.lines + 1, [status]: report[status] + 1 };
  if (status !== 'refused') {
    const earlier = earlierLine(known, result as unknown as ImportLine, own);
    if (earlier === undefined) return counted;
    return { ...counted, repeated: report.repeated + 1, firstRepeat: report.firstRepeat ?? [own, earlier] };
  }
  if (report.refusals.length >= keptRefusals) return counted;
  const refusal = {
    line: own,
    message: error?.message ?? '',
    result: { ...result, line: own },
    text: portion.textOf(line),
  };
  return { ...counted, refusals: [...report.refusals, refusal] };
}

function addMixed(report: Report, portion: Portion, { mixedColumns = [] }: ImportSummary): Report {
  const mixed = { ...report.mixed };
  for (const { column, firstLines } of mixedColumns) {
    const lines = Object.entries(firstLines).map(([type, line]) => [type, portion.lineOf(line)] as const);
    mixed[column] = { ...Object.fromEntries(lines), ...mixed[column] };
  }
  return { ...report, mixed };
}

/** Where an import goes on: behind these portions, at a line of the next one, with what was reported before. */
export interface Reached {
  readonly portions: number;
  readonly line: number;
  readonly report: Report;
}

export const nothingReached: Reached = { portions: 0, line: 1, report: emptyReport };

/**
 * Sends a portion, from a line on. Calls `onResult` for each line that is stored, and throws where some are not. Returns the
 * summary.
 */
async function sendPortion(
  portion: Portion,
  line: number,
  { projectKey, mode, isDryRun }: SendOptions,
  onResult: (result: JsonMap) => void,
): Promise<ImportSummary> {
  const query = new URLSearchParams({
    ...{ mode, from: String(line) },
    ...(isDryRun && { dryRun: 'true' }),
    ...(portion.delimiter !== undefined && { delimiter: portion.delimiter }),
  });
  const response = await openStream(projectKey, {
    ...{ method: 'POST', path: pathOf(projectKey, 'resource', 'import'), query, body: portion.body },
    headers: { 'content-type': portion.delimiter === undefined ? 'application/x-ndjson' : 'text/csv' },
  });
  let answered = 0;
  for await (const result of jsonLines(response)) {
    if (typeof result.complete !== 'boolean') {
      answered += 1;
      onResult(result);
    } else if (!result.complete) {
      const { message } = (result.error ?? {}) as { message?: string };
      throw new Error(message ?? texts.import.cut);
    } else if (answered === portion.resultsFrom(line)) return result as unknown as ImportSummary;
    // A proxy may have cut the request.
    else break;
  }
  throw new Error(texts.import.cut);
}

/**
 * Sends a file portion by portion, each as an import of its own, and goes on where one stopped. The signal stops it between
 * two portions: what is sent is stored and told. `onReached` gets where to go on, also where a portion was cut. Throws
 * what stopped it.
 */
export async function sendPortions(
  portions: AsyncIterable<Portion>,
  from: Reached,
  options: SendOptions,
  onReached: (reached: Reached) => void,
): Promise<void> {
  let reached = from;
  let count = 0;
  const known: KnownLines = new Map();
  for await (const portion of portions) {
    count += 1;
    if (count <= from.portions) continue;
    options.signal.throwIfAborted();
    const summary = await sendPortion(portion, reached.line, options, (result) => {
      const line = Number(result.line ?? reached.line) + 1;
      reached = { ...reached, line, report: add(reached.report, portion, result, known) };
      onReached(reached);
    });
    const report = addMixed(reached.report, portion, summary);
    reached = { portions: count, line: 1, report: { ...report, sentBytes: portion.endBytes } };
    onReached(reached);
  }
}
