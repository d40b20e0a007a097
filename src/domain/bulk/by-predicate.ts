import type { MatchStatus, Operation } from '../../contract/bulk.ts';
import { errorBody, ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../json/parse.ts';
import type { ResourceStore } from '../ports/resource-store.ts';
import type { Predicate } from '../predicate/ast.ts';
import type { Actions } from '../resource/actions/define.ts';
import type { PointReads } from '../resource/target.ts';
import {
  attemptInTurn,
  type Commits,
  commitTogether,
  earlierResponse,
  type Idempotency,
  storedResponse,
} from '../resource/write/commit.ts';
import type { WriteContext } from '../resource/write/decision.ts';
import type { Gate } from '../resource/write/gate.ts';
import { turnOver } from '../turns.ts';
import { changesIn, decideOperations, isOfOperation, type OperationResult } from './decide.ts';
import { isWanted } from './export.ts';
import type { Pace } from './pace.ts';
import { createView, type View } from './view.ts';

/** A change of all resources that match. */
export interface ByPredicate {
  readonly store: PointReads & Commits & Pick<ResourceStore, 'list' | 'getIdempotentResponse'>;
  readonly projectKey: string;
  readonly gate?: Gate | undefined;
  /** All must hold, of the projection that `staged` names. */
  readonly where: readonly Predicate[];
  readonly staged: boolean;
  readonly operationOn: (id: string) => Operation;
  readonly actions: Actions;
  /** Makes the context of the next group: its clock. */
  readonly contextOf: () => WriteContext;
  readonly dryRun: boolean;
  /** Most resources to change. */
  readonly limit: number;
  /** Only resources with a greater id. */
  readonly afterId: string | undefined;
  /** How many resources have to match. */
  readonly expect: number | undefined;
  /** True if only refused and skipped resources are reported. */
  readonly refusedOnly: boolean;
  /** With it a repeat reports what was done, and continues behind that. */
  readonly idempotency: Idempotency | undefined;
  /** Why the change has to end now; undefined if it may continue. */
  readonly stopReason: () => ServiceError | undefined;
  readonly pace: Pick<Pace, 'givesWay' | 'takeTurn'>;
}

/** Resources that share a commit: many together cost less, but others that write wait for all of them. */
const [usualGroup, groupBesideOthers] = [100, 32];
/** Characters of resources that a group may read and make; it then has fewer resources. */
const groupCharacters = 8 * 1024 * 1024;
/** A group is halved after this many lost races. */
const [attemptsOfGroup, attemptsOfOne] = [3, 100];

/** What became of a resource: `skipped` where it no longer matches, or is gone, when its turn comes. */
interface Result {
  readonly id: string;
  /** Before the change, where it could be read. */
  readonly key?: string | undefined;
  readonly result: OperationResult | 'skipped';
}
type Counts = { -readonly [status in MatchStatus]?: number };

/** A group that is done. Stored in its commit where the request has an Idempotency-Key. */
interface Group {
  readonly lines: readonly string[];
  readonly counts: Counts;
  /** The last id; that of the group before where there was none. */
  readonly afterId: string | undefined;
  /** Whether this was the last group, and then whether more resources match. */
  readonly end: 'all' | 'limit' | undefined;
}

/**
 * Throws 422 if the Idempotency-Key was used with another request, and 412 if another number of resources matches than expected; a change
 * that was begun already has been checked.
 */
export async function checkExpected(change: ByPredicate, signal: AbortSignal): Promise<void> {
  const { store, expect, idempotency, contextOf } = change;
  if (idempotency && (await earlierResponse(store, contextOf().nowIso, groupKey(idempotency, 0)))) return;
  if (expect === undefined) return;
  const { total } = await store.list({ ...queryOf(change, change.afterId, 0), withTotal: true }, signal);
  if (total === expect) return;
  throw new ServiceError('PreconditionFailed', `expect: ${total} resources match, not ${expect}.`);
}

/**
 * Changes the resources that match, by id, in groups that are committed together. Each is decided on what it is then, and again
 * where others change it meanwhile. Yields the result of each once it is durable, then a summary.
 */
export async function* changeByPredicate(change: ByPredicate): AsyncGenerator<string> {
  yield* new Run(change).texts();
}

function queryOf({ projectKey, where, staged }: ByPredicate, afterId: string | undefined, limit: number) {
  const behind: readonly Predicate[] =
    afterId === undefined
      ? []
      : [{ kind: 'compare', path: ['id'], op: '>', value: { type: 'string', value: afterId } }];
  const sort = [{ path: ['id'], direction: 'asc' }] as const;
  return { projectKey, where: [...where, ...behind], staged, sort, limit, offset: 0, withTotal: false };
}

function groupKey({ scope, requestHash }: Idempotency, number: number): Idempotency {
  return { scope: `${scope}\n${number}`, requestHash };
}

class Run {
  readonly #change: ByPredicate;
  readonly #counts: Counts = {};
  #afterId: string | undefined;
  #left: number;
  /** How many groups are done. */
  #groups = 0;

  constructor(change: ByPredicate) {
    this.#change = change;
    this.#afterId = change.afterId;
    this.#left = Math.min(change.limit, change.expect ?? change.limit);
  }

  async *texts(): AsyncGenerator<string> {
    for (;;) {
      const group = await this.#next().catch((error: unknown) => {
        if (error instanceof ServiceError) return error;
        throw error;
      });
      if (group instanceof ServiceError) return yield this.#summary(false, group);
      this.#groups += 1;
      this.#afterId = group.afterId;
      for (const [status, count] of Object.entries(group.counts)) {
        this.#counts[status as MatchStatus] = (this.#counts[status as MatchStatus] ?? 0) + count;
        this.#left -= count;
      }
      if (group.lines.length > 0) yield `${group.lines.join('\n')}\n`;
      if (group.end) return yield this.#summary(group.end === 'all');
    }
  }

  /** Carries out the next group, or finds that an earlier request has done so. Throws why the change has to end. */
  async #next(): Promise<Group> {
    const { stopReason, pace } = this.#change;
    const givesWay = pace.givesWay();
    const endTurn = givesWay ? await pace.takeTurn(() => stopReason() !== undefined) : undefined;
    try {
      const reason = stopReason();
      if (reason) throw reason;
      const done = await this.#earlier();
      if (done) return done;
      const size = Math.min(this.#left, givesWay ? groupBesideOthers : usualGroup);
      const page = await this.#change.store.list(queryOf(this.#change, this.#afterId, Math.max(1, size)));
      const ids = page.results.slice(0, size).map((text) => (parseStoredJson(text) as JsonObject).id as string);
      const isMore = page.next !== undefined || page.results.length > size;
      return await this.#commit(ids, isMore ? (ids.length === this.#left ? 'limit' : undefined) : 'all');
    } finally {
      endTurn?.();
    }
  }

  async #commit(ids: readonly string[], end: Group['end']): Promise<Group> {
    const { dryRun, idempotency, contextOf } = this.#change;
    const most = ids.length > 1 ? attemptsOfGroup : attemptsOfOne;
    const group = await attemptInTurn(this.#change, most, async () => {
      const earlier = await this.#earlier();
      if (earlier) return { result: earlier };
      const context = contextOf();
      const results = await this.#decide(ids, context);
      const made = this.#groupOf(ids.length === results.length ? end : undefined, results);
      const key = idempotency && groupKey(idempotency, this.#groups);
      const response = key && storedResponse(key, { status: 200, headers: {}, body: JSON.stringify(made) }, context);
      const changes = changesIn(results.flatMap(({ result }) => (result === 'skipped' ? [] : result)));
      const contested = dryRun ? undefined : await commitTogether(this.#change, changes, response);
      return contested === undefined ? { result: made } : { contested };
    });
    if (group) return group;
    if (ids.length > 1) return this.#commit(ids.slice(0, ids.length >> 1), undefined);
    throw new ServiceError('OverCapacity', `Too many writes of the resource '${ids[0]}' at the same time; try again.`);
  }

  /** Decides on the resources that still match; on fewer than all where they are large. */
  async #decide(ids: readonly string[], context: WriteContext): Promise<readonly Result[]> {
    const { store, projectKey, gate, actions, operationOn } = this.#change;
    const view = createView(store, projectKey, gate);
    await view.prefetch(ids.map(operationOn));
    const matching = new Set<string>();
    const keys = new Map<string, string | undefined>();
    for (const id of ids) {
      const { key, matches } = await this.#look(view, id);
      keys.set(id, key);
      if (matches) matching.add(id);
      const over = turnOver();
      if (over) await over;
    }
    const rules = {
      projectKey,
      gate,
      context,
      actions,
      isImport: false,
      stopsAtError: false,
      maxSize: groupCharacters,
    };
    const decided = (await decideOperations([...matching].map(operationOn), view, rules)).values();
    const results: Result[] = [];
    for (const id of ids) {
      const result = matching.has(id) ? decided.next().value : 'skipped';
      if (result === undefined) break;
      results.push({ id, key: keys.get(id), result });
    }
    return results;
  }

  /** Whether a resource still matches. The operation on a damaged one reads it again, and is refused with the error. */
  async #look(view: View, id: string): Promise<{ readonly key?: string | undefined; readonly matches: boolean }> {
    try {
      const record = await view.get(this.#change.projectKey, id);
      return { key: record?.key, matches: record !== undefined && isWanted(record, this.#change) };
    } catch (error) {
      if (isOfOperation(error)) return { matches: true };
      throw error;
    }
  }

  #groupOf(end: Group['end'], results: readonly Result[]): Group {
    const counts: Counts = {};
    const lines: string[] = [];
    for (const result of results) {
      const status = statusOf(result);
      counts[status] = (counts[status] ?? 0) + 1;
      const isReported = !this.#change.refusedOnly || status === 'refused' || status === 'skipped';
      if (isReported) lines.push(lineText(status, result));
    }
    return { lines, counts, afterId: results.at(-1)?.id ?? this.#afterId, end };
  }

  /** The next group, if an earlier request with the Idempotency-Key has carried it out. */
  async #earlier(): Promise<Group | undefined> {
    const { store, idempotency, contextOf } = this.#change;
    const earlier =
      idempotency && (await earlierResponse(store, contextOf().nowIso, groupKey(idempotency, this.#groups)));
    return earlier && (JSON.parse(earlier.body) as Group);
  }

  #summary(complete: boolean, error?: ServiceError): string {
    const { updated = 0, deleted = 0, unchanged = 0, skipped = 0, refused = 0 } = this.#counts;
    const resources = updated + deleted + unchanged + skipped + refused;
    const counts = { resources, updated, deleted, unchanged, skipped, refused };
    const resumeAfter = complete ? undefined : this.#afterId;
    const dryRun = this.#change.dryRun || undefined;
    return `${textOf({ complete, ...counts, dryRun, resumeAfter, error: error && errorBody(error) })}\n`;
  }
}

function statusOf({ result }: Result): MatchStatus {
  if (result === 'skipped') return 'skipped';
  return 'error' in result ? 'refused' : (result.outcome.kind as MatchStatus);
}

function lineText(status: MatchStatus, { id, key: before, result }: Result): string {
  if (result === 'skipped') return textOf({ status, id, key: before });
  if ('error' in result) return textOf({ status, id, key: before, error: errorBody(result.error) });
  const { key, version } = result.outcome.record;
  return textOf({ status, id, key, version });
}

function textOf(value: object): string {
  return stringifyJson(value as JsonObject);
}
