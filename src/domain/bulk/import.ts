import type { DraftKind } from '../../contract/bulk.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Draft } from '../../contract/resource.ts';
import type { BulkStore } from '../ports/bulk-threads.ts';
import { createActions } from '../resource/actions/index.ts';
import type { WriteContext } from '../resource/write/decision.ts';
import { commitGroup, type Group } from './commit.ts';
import type { Given, OperationResult } from './decide.ts';
import {
  type Counts,
  createRepeats,
  lineText,
  notRead,
  type SourceNotes,
  type Stopped,
  silent,
  statusOf,
  summaryText,
} from './import-results.ts';
import type { Pace } from './pace.ts';

/** A line of an import: a draft, or why it is none. */
export interface ImportLine {
  readonly line: number;
  readonly draft: Draft | ServiceError;
  /** Bytes of the line, for the size of groups. */
  readonly size: number;
}

export interface ImportOptions {
  readonly store: BulkStore;
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
  /** What the source notes of the file while it is read. */
  readonly notes?: SourceNotes;
  /** How the import shares the machine with those who call meanwhile. */
  readonly pace?: Pace;
  /** Takes texts of lines, without their end. False: nobody reads them, so the import ends. */
  readonly write: (texts: readonly string[]) => boolean;
}

/**
 * Lines that share a commit: as many as the store takes well, unless fewer are all that is durable in about `groupMs`, as
 * others that write wait for a group.
 */
const usualLines = 100;
const leastLines = 16;
const mostLines = 1000;
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
  const repeats = createRepeats();
  let repeated = 0;
  let group: ImportLine[] = [];
  let size = 0;
  /** Lines that are durable in about `groupMs`, and when the last group was. */
  let fittingLines = usualLines;
  let lastDurableMs = 0;
  let nextLine = options.from;
  let stopped: Stopped | undefined;
  /** The last group: its names once it is decided, and when all groups up to it are reported. */
  let last: Running | undefined;

  function groupLines(): number {
    return Math.min(fittingLines, options.store.groupSize?.() ?? usualLines);
  }

  function stop(error: ServiceError, resumeAt: number): void {
    stopped ??= { error, resumeAt };
  }

  async function report(lines: readonly ImportLine[], work: Promise<readonly OperationResult[]>, before?: Running) {
    const begunMs = performance.now();
    const results = await work.catch((error: unknown) => error);
    const nowMs = performance.now();
    // The mean of this and what was, so that one slow commit changes little.
    const fitting = (groupMs * lines.length) / Math.max(1, nowMs - Math.max(begunMs, lastDurableMs));
    fittingLines = Math.min(mostLines, Math.max(leastLines, Math.round((fittingLines + fitting) / 2)));
    lastDurableMs = nowMs;
    await before?.reported;
    if (stopped) return;
    if (!Array.isArray(results)) {
      if (!(results instanceof ServiceError)) throw results;
      return stop(results, lines[0]!.line);
    }
    const texts: string[] = [];
    /** What a dry run would have created: its ids are those of nothing. */
    const unmade = new Set<string>();
    for (const [at, result] of (results as OperationResult[]).entries()) {
      const { line, draft } = lines[at]!;
      const status = statusOf(result);
      counts[status] += 1;
      if (options.dryRun && status === 'created') addUngiven(unmade, draft, result);
      const earlier = repeats.add(line, result);
      if (earlier !== undefined) repeated += 1;
      if (status === 'refused' || !options.refusedOnly) texts.push(lineText(line, draft, result, unmade, earlier));
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
    const givesWay = options.pace?.givesWay() ?? false;
    if (before && (givesWay || stopOnError || [...names].some((name) => before.names.has(name)))) await before.reported;
    const endTurn = givesWay ? await options.pace?.takeTurn(() => stopReason() !== undefined) : undefined;
    if (stopped) return endTurn?.();
    const decided = Promise.withResolvers<void>();
    const work = commitLines(lines, options, (results) => {
      for (const result of results) addNames(names, result);
      decided.resolve();
    }).finally(decided.resolve);
    const reported = report(lines, work, before);
    // Awaited below, or by the group behind it.
    reported.catch(() => {});
    last = { names, decided: decided.promise, reported, before: before && { ...before, before: undefined } };
    if (endTurn) await reported.catch(() => {}).finally(endTurn);
  }

  async function take(lines: readonly ImportLine[]): Promise<void> {
    for (const each of lines) {
      group.push(each);
      size += each.size;
      nextLine = each.line + 1;
      if (group.length < groupLines() && size < groupBytes) continue;
      await flush();
      // The lines behind are left to where it goes on.
      if (stopped || stopReason()) return;
    }
  }

  function nextLines(): ReturnType<typeof source.next> {
    const next = source.next();
    // Awaited below, unless the import stops before: nobody else hears of the body that fails then.
    next.catch(() => {});
    return next;
  }

  let silentLooks = 0;
  for (let next = nextLines(); !stopped; ) {
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
    if (!stopped) next = nextLines();
  }
  await flush();
  await last?.reported;
  options.write([summaryText(counts, repeated, options.dryRun, options.notes, stopped)]);
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

/** Notes the id that was made for a line which gives none. */
function addUngiven(ids: Set<string>, draft: Draft | ServiceError, result: OperationResult): void {
  if ('error' in result || (!(draft instanceof ServiceError) && draft.id !== undefined)) return;
  ids.add(result.outcome.record.id);
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
