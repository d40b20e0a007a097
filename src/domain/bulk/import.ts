import type { DraftKind } from '../../contract/bulk.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Draft } from '../../contract/resource.ts';
import type { PointReads } from '../resource/target.ts';
import type { Commits } from '../resource/write/commit.ts';
import type { WriteContext } from '../resource/write/decision.ts';
import type { Gate } from '../resource/write/gate.ts';
import { commitLines } from './commit-lines.ts';
import type { OperationResult } from './decide.ts';
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
import { Rehearsal } from './rehearsal.ts';

/** A line of an import: a draft, or why it is invalid. */
export interface ImportLine {
  readonly line: number;
  readonly draft: Draft | ServiceError;
  /** Bytes of the line, for the size of groups. */
  readonly size: number;
}

export interface ImportOptions {
  readonly store: PointReads & Commits;
  readonly projectKey: string;
  readonly gate?: Gate | undefined;
  /** Makes the context of the next group: its clock. */
  readonly contextOf: () => WriteContext;
  readonly mode: DraftKind;
  /** False: the versions of the drafts are ignored. */
  readonly checksVersions: boolean;
  readonly dryRun: boolean;
  /** The first line to import. */
  readonly from: number;
  readonly stopOnError: boolean;
  /** True if only refused lines are reported. */
  readonly refusedOnly: boolean;
  /** Why the import has to end now; undefined if it may continue. Called between groups, and while it waits. */
  readonly stopReason: () => ServiceError | undefined;
  /** Notes of the source about the file, collected while it is read. */
  readonly notes?: SourceNotes;
  /** How the import shares the machine with those who call meanwhile. */
  readonly pace?: Pick<Pace, 'givesWay' | 'takeTurn'>;
  /** Takes texts of lines, without their end. False: the client does not read them, and the import ends. */
  readonly write: (texts: readonly string[]) => boolean;
}

/** Lines that share a commit: many together cost less, but others that write wait for all of them. While others call there are fewer. */
const [usualLines, linesBesideOthers] = [100, 32];
const groupBytes = 1024 * 1024;
/** A group is not kept waiting for lines that do not come. */
const lookMs = 25;
/** Without a byte for so long, the import ends. */
const maxSilentLooks = 20_000 / lookMs;
/**
 * Imports lines in groups, each decided while the one before it commits unless they name the same resources. Writes the
 * result of each line in order once it is durable, then a summary. Rejects only if the source does.
 */
export function runImport(source: AsyncIterator<readonly ImportLine[]>, options: ImportOptions): Promise<void> {
  return new Import(options).run(source);
}

/** A group under way. */
interface Running {
  /** Ids and keys that it reads or writes. */
  readonly names: ReadonlySet<string>;
  readonly decided: Promise<void>;
  /** Resolves when this group and all before it are reported. */
  readonly reported: Promise<void>;
  readonly before: Running | undefined;
}

class Import {
  readonly #options: ImportOptions;
  readonly #counts: Counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  readonly #repeats = createRepeats();
  #repeated = 0;
  /** Lines of the next group, and their bytes. */
  #group: ImportLine[] = [];
  #size = 0;
  #nextLine: number;
  #last: Running | undefined;
  #stopped: Stopped | undefined;
  #dependsOnOthers = false;
  #rehearsal: Rehearsal | undefined;

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#nextLine = options.from;
  }

  async run(source: AsyncIterator<readonly ImportLine[]>): Promise<void> {
    const { store, projectKey, gate, write, dryRun, notes } = this.#options;
    this.#dependsOnOthers = (await gate?.dependsOnOthers(projectKey)) ?? false;
    if (gate && dryRun && this.#dependsOnOthers) this.#rehearsal = new Rehearsal(store, gate);
    const reason = await this.#takeAll(source);
    await this.#flush();
    await this.#last?.reported;
    if (reason) this.#stop(reason, this.#nextLine);
    write([summaryText(this.#counts, this.#repeated, dryRun, notes, this.#stopped)]);
  }

  /** Takes lines until the source ends or the import stops. Returns why the rest of the source is not read. */
  async #takeAll(source: AsyncIterator<readonly ImportLine[]>): Promise<ServiceError | undefined> {
    let silentLooks = 0;
    let next = nextOf(source);
    while (!this.#stopped) {
      const reason = this.#options.stopReason() ?? (silentLooks > maxSilentLooks ? silent() : undefined);
      if (reason) return reason;
      const arrived = await within(lookMs, next).catch((error: unknown) => {
        // A damaged body, such as bad gzip, ends the import; a client that has gone does not concern it.
        if (error instanceof ServiceError) return error;
        throw error;
      });
      if (arrived instanceof ServiceError) return arrived;
      if (arrived === undefined) {
        silentLooks += 1;
        await this.#flush();
        continue;
      }
      if (arrived.done) return undefined;
      silentLooks = 0;
      await this.#take(arrived.value);
      if (!this.#stopped) next = nextOf(source);
    }
    return undefined;
  }

  async #take(lines: readonly ImportLine[]): Promise<void> {
    const { pace, stopReason } = this.#options;
    for (const each of lines) {
      this.#group.push(each);
      this.#size += each.size;
      this.#nextLine = each.line + 1;
      const groupLines = pace?.givesWay() ? linesBesideOthers : usualLines;
      if (this.#group.length < groupLines && this.#size < groupBytes) continue;
      await this.#flush();
      // The summary tells the client where to continue.
      if (this.#stopped || stopReason()) return;
    }
  }

  /** Starts the group. Resolves when the next one may be gathered. */
  async #flush(): Promise<void> {
    const { pace, stopReason, stopOnError } = this.#options;
    const lines = this.#group;
    this.#group = [];
    this.#size = 0;
    if (lines.length === 0 || this.#stopped) return;
    const names = new Set(lines.flatMap(({ draft }) => namesOf(draft)));
    const before = this.#last;
    if (this.#dependsOnOthers) await before?.reported;
    await before?.decided;
    // At most two groups are under way, and only if the order between them makes no difference.
    await before?.before?.reported;
    const givesWay = pace?.givesWay() ?? false;
    if (before && (givesWay || stopOnError || [...names].some((name) => before.names.has(name)))) await before.reported;
    const endTurn = givesWay ? await pace?.takeTurn(() => stopReason() !== undefined) : undefined;
    if (this.#stopped) return endTurn?.();
    const decided = Promise.withResolvers<void>();
    const work = commitLines(lines, { ...this.#options, rehearsal: this.#rehearsal }, (results) => {
      for (const result of results) addNames(names, result);
      this.#rehearsal?.add(results);
      decided.resolve();
    }).finally(decided.resolve);
    const reported = this.#report(lines, work, before);
    // Awaited at the end, or by the next group.
    reported.catch(() => {});
    this.#last = { names, decided: decided.promise, reported, before: before && { ...before, before: undefined } };
    if (endTurn) await reported.catch(() => {}).finally(endTurn);
  }

  async #report(lines: readonly ImportLine[], work: Promise<readonly OperationResult[]>, before?: Running) {
    const results = await work.catch((error: unknown) => error);
    await before?.reported;
    if (this.#stopped) return;
    if (!Array.isArray(results)) {
      if (!(results instanceof ServiceError)) throw results;
      this.#stop(results, lines[0]!.line);
      return;
    }
    const { dryRun, refusedOnly, stopOnError, write } = this.#options;
    const texts: string[] = [];
    /** Ids that a dry run made up, and does not show. */
    const unmade = new Set<string>();
    for (const [at, result] of (results as OperationResult[]).entries()) {
      const { line, draft } = lines[at]!;
      const status = statusOf(result);
      this.#counts[status] += 1;
      if (dryRun && status === 'created') addUngiven(unmade, draft, result);
      const earlier = this.#repeats.add(line, result);
      if (earlier !== undefined) this.#repeated += 1;
      if (status === 'refused' || !refusedOnly) texts.push(lineText(line, draft, result, unmade, earlier));
      if (status === 'refused' && stopOnError) this.#stop((result as { error: ServiceError }).error, line);
    }
    if (!write(texts)) this.#stop(notRead(), lines.at(-1)!.line + 1);
  }

  #stop(error: ServiceError, resumeAt: number): void {
    this.#stopped ??= { error, resumeAt };
  }
}

function nextOf(source: AsyncIterator<readonly ImportLine[]>): ReturnType<typeof source.next> {
  const next = source.next();
  // Awaited later, unless the import stops before: a body that fails then concerns no one.
  next.catch(() => {});
  return next;
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
