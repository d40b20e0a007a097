import type { DraftKind, LineStatus } from '../../contract/bulk.ts';
import { errorBody, ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Draft } from '../../contract/resource.ts';
import { stringifyJson } from '../json/parse.ts';
import type { ResourceStore } from '../ports/resource-store.ts';
import { createActions } from '../resource/actions/index.ts';
import type { WriteContext } from '../resource/write/decision.ts';
import { commitGroup, type Group } from './commit.ts';
import type { Given, OperationResult } from './decide.ts';

/** A line of an import: a draft, or why it is none. */
export interface ImportLine {
  readonly line: number;
  readonly draft: Draft | ServiceError;
  /** Bytes of the line, for the size of groups. */
  readonly size: number;
}

export interface ImportOptions {
  readonly store: ResourceStore;
  readonly projectKey: string;
  /** Makes the context of the next group: its clock. */
  readonly contextOf: () => WriteContext;
  readonly mode: DraftKind;
  /** False: the versions of the drafts are ignored. */
  readonly checksVersions: boolean;
  readonly dryRun: boolean;
  /** The first line that is looked at. */
  readonly from: number;
  readonly stopOnError: boolean;
  /** Whether only refused lines are reported. */
  readonly refusedOnly: boolean;
  /** Why the import has to end now; undefined where it may go on. Looked at between groups, and while it waits. */
  readonly stopReason: () => ServiceError | undefined;
  /** Takes texts of lines, without their end. False: nobody reads them, so the import ends. */
  readonly write: (texts: readonly string[]) => boolean;
}

type Counts = { -readonly [status in LineStatus]: number };

/** Lines that share a commit, at most and at least: in between as many as are durable in about `groupMs`. */
const mostLines = 100;
const leastLines = 16;
/** Others that write wait for a group. Where they do, each takes longer, so that the next ones have fewer lines. */
const groupMs = 50;
const groupBytes = 1024 * 1024;
/** Characters of resources that a group may read and make; it then has fewer lines. */
const groupCharacters = 8 * 1024 * 1024;
/** A group is not kept waiting for lines that do not come. */
const lookMs = 25;
/** Without a byte for so long, the import ends. */
const maxSilentLooks = 20_000 / lookMs;
/** A group that loses so many races is halved, so that less of it has to be decided again. */
const attemptsOfGroup = 3;
const attemptsOfLine = 100;

const noActions = createActions();

/**
 * Imports lines in groups, each decided while the one before it commits unless they name the same resources. Writes the
 * result of each line in order once it is durable, then a summary. Rejects only if the source does.
 */
export async function runImport(source: AsyncIterator<readonly ImportLine[]>, options: ImportOptions): Promise<void> {
  const { stopOnError, stopReason } = options;
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  let group: ImportLine[] = [];
  let size = 0;
  let groupLines = mostLines;
  let nextLine = options.from;
  let stopped: { readonly error: ServiceError; readonly resumeAt: number } | undefined;
  /** The last group: its names once it is decided, and when all groups up to it are reported. */
  let last: Running | undefined;

  function stop(error: ServiceError, resumeAt: number): void {
    stopped ??= { error, resumeAt };
  }

  async function report(lines: readonly ImportLine[], work: Promise<readonly OperationResult[]>, before?: Running) {
    const begunMs = performance.now();
    const results = await work.catch((error: unknown) => error);
    // The mean of this and what was, so that one slow commit changes little.
    const fitting = (groupMs * lines.length) / Math.max(1, performance.now() - begunMs);
    groupLines = Math.min(mostLines, Math.max(leastLines, Math.round((groupLines + fitting) / 2)));
    await before?.reported;
    if (stopped) return;
    if (!Array.isArray(results)) {
      if (!(results instanceof ServiceError)) throw results;
      return stop(results, lines[0]!.line);
    }
    const texts: string[] = [];
    for (const [at, result] of (results as OperationResult[]).entries()) {
      const { line, draft } = lines[at]!;
      const status = statusOf(result);
      counts[status] += 1;
      if (status === 'refused' || !options.refusedOnly) texts.push(lineText(line, draft, result, options.dryRun));
      if (status === 'refused' && stopOnError) stop((result as { error: ServiceError }).error, line);
    }
    if (!options.write(texts)) stop(notRead(), lines.at(-1)!.line + 1);
  }

  /** Begins with the group. Resolves when the next one may be gathered. */
  async function flush(): Promise<void> {
    const lines = group;
    [group, size] = [[], 0];
    if (lines.length === 0 || stopped) return;
    const names = new Set(lines.flatMap(({ draft }) => namesOf(draft)));
    const before = last;
    await before?.decided;
    // At most two groups are under way, and only if the order between them makes no difference.
    await before?.before?.reported;
    if (before && (stopOnError || [...names].some((name) => before.names.has(name)))) await before.reported;
    if (stopped) return;
    const decided = Promise.withResolvers<void>();
    const work = commitLines(lines, options, (results) => {
      for (const result of results) addNames(names, result);
      decided.resolve();
    }).finally(decided.resolve);
    const reported = report(lines, work, before);
    // Awaited below, or by the group behind it.
    reported.catch(() => {});
    last = { names, decided: decided.promise, reported, before: before && { ...before, before: undefined } };
  }

  async function take(lines: readonly ImportLine[]): Promise<void> {
    for (const each of lines) {
      group.push(each);
      size += each.size;
      nextLine = each.line + 1;
      if (group.length < groupLines && size < groupBytes) continue;
      await flush();
      if (stopped) return;
    }
  }

  let silentLooks = 0;
  for (let next = source.next(); !stopped; ) {
    const reason = stopReason() ?? (silentLooks > maxSilentLooks ? silent() : undefined);
    if (reason) {
      await flush();
      await last?.reported;
      stop(reason, nextLine);
      break;
    }
    const arrived = await within(lookMs, next).catch((error: unknown) => {
      // What ends the body early, as bad gzip does. That the client has gone is none of ours.
      if (error instanceof ServiceError) return error;
      throw error;
    });
    if (arrived instanceof ServiceError) {
      await flush();
      await last?.reported;
      stop(arrived, nextLine);
      break;
    }
    if (arrived === undefined) {
      silentLooks += 1;
      await flush();
      continue;
    }
    silentLooks = 0;
    if (arrived.done) break;
    await take(arrived.value);
    if (!stopped) next = source.next();
  }
  await flush();
  await last?.reported;
  options.write([summaryText(counts, options, stopped)]);
}

/** A group under way. */
interface Running {
  /** Ids and keys that it reads or writes. */
  readonly names: ReadonlySet<string>;
  readonly decided: Promise<void>;
  readonly reported: Promise<void>;
  readonly before: Running | undefined;
}

/** The result of a promise, or undefined if it takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, ms, undefined);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

type OnDecided = (results: readonly OperationResult[]) => void;

/** Commits lines that belong together: in fewer transactions than lines, and in more than one if need be. */
async function commitLines(
  lines: readonly ImportLine[],
  options: ImportOptions,
  onDecided: OnDecided,
): Promise<readonly OperationResult[]> {
  const results: OperationResult[] = [];
  while (results.length < lines.length) {
    const rest = lines.slice(results.length);
    const some = await commitSome(rest, options, onDecided);
    results.push(...some);
    if (options.stopOnError && some.some((result) => 'error' in result)) break;
  }
  return results;
}

/** Commits as many of the lines as one transaction takes. */
async function commitSome(
  lines: readonly ImportLine[],
  options: ImportOptions,
  onDecided: OnDecided,
): Promise<readonly OperationResult[]> {
  const { store, projectKey, mode, dryRun, stopOnError } = options;
  const given = lines.map(({ draft }): Given => {
    if (draft instanceof ServiceError) return draft;
    return { kind: mode, draft: options.checksVersions ? draft : { ...draft, version: undefined } };
  });
  const group: Group = {
    ...{ store, projectKey, context: options.contextOf(), actions: noActions, isImport: true, writes: !dryRun },
    ...{ stopsAtError: stopOnError, maxSize: groupCharacters },
    maxAttempts: lines.length === 1 ? attemptsOfLine : attemptsOfGroup,
    onDecided(results) {
      onDecided(results);
      return undefined;
    },
  };
  const result = await commitGroup(given, group);
  if (typeof result !== 'string') return result;
  if (lines.length > 1) return commitSome(lines.slice(0, lines.length >> 1), options, onDecided);
  const problem = 'Too many writes of this resource at the same time; try again.';
  return [{ error: new ServiceError('OverCapacity', problem) }];
}

function namesOf(draft: Draft | ServiceError): readonly string[] {
  if (draft instanceof ServiceError) return [];
  const { id, key } = draft;
  return [...(id === undefined ? [] : [`id ${id}`]), ...(typeof key === 'string' ? [`key ${key}`] : [])];
}

/** The names of a resource that a line changes, those that it leaves included. */
function addNames(names: Set<string>, result: OperationResult): void {
  if ('error' in result || result.change === undefined) return;
  const { id, key } = result.outcome.record;
  names.add(`id ${id}`);
  if (key !== undefined) names.add(`key ${key}`);
  const before = result.change.kind === 'create' ? undefined : result.change.before.current.key;
  if (before !== undefined) names.add(`key ${before}`);
}

function statusOf(result: OperationResult): LineStatus {
  return 'error' in result ? 'refused' : (result.outcome.kind as LineStatus);
}

function lineText(line: number, draft: Draft | ServiceError, result: OperationResult, dryRun: boolean): string {
  const status = statusOf(result);
  if ('error' in result) {
    const { id, key } = draft instanceof ServiceError ? {} : draft;
    return textOf({ line, status, id, key: key ?? undefined, error: bodyOf(result.error) });
  }
  const { id, key, version } = result.outcome.record;
  // Of what would be created, nobody knows the id yet.
  const isGiven = !(draft instanceof ServiceError) && draft.id !== undefined;
  return textOf({ line, status, id: dryRun && status === 'created' && !isGiven ? undefined : id, key, version });
}

function bodyOf({ code, message, details, status }: ServiceError) {
  return errorBody(code, message, details, status);
}

function textOf(value: object): string {
  return stringifyJson(value as JsonObject);
}

function summaryText(
  counts: Counts,
  { dryRun }: ImportOptions,
  stopped: { readonly error: ServiceError; readonly resumeAt: number } | undefined,
): string {
  const lines = counts.created + counts.updated + counts.unchanged + counts.refused;
  const summary = { complete: stopped === undefined, lines, ...counts, ...(dryRun && { dryRun }) };
  return textOf(stopped ? { ...summary, resumeAt: stopped.resumeAt, error: bodyOf(stopped.error) } : summary);
}

function notRead(): ServiceError {
  const problem =
    'The results are not being read, so the import has ended. Read them while you send, or ask for results=refused.';
  return new ServiceError('ResponseNotRead', problem);
}

function silent(): ServiceError {
  return new ServiceError('RequestTimeout', 'No line arrived for 20 seconds.');
}
