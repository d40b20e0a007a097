import type { DatabaseSync } from 'node:sqlite';
import type { ChangeSource } from '../../../index/follow/change-source.ts';
import { createDamagedRows } from '../../../index/follow/damaged-rows.ts';
import { Follower } from '../../../index/follow/follower.ts';
import { createRebuildProblem, type ReadRebuildProblem } from '../../../index/follow/rebuild-mark.ts';
import { besideCharacters } from '../../../index/follow/rebuilding.ts';
import { createChangeSource } from '../../../record/sqlite/log/change-source.ts';
import { Applier } from '../../../record/sqlite/write/apply.ts';
import type { Checkpointer } from '../../../record/sqlite/write/checkpointer.ts';
import {
  type CatchUpOperation,
  type ChangeOperation,
  isChange,
  type Operation,
  type OperationFailure,
  type OperationResult,
  type Statement,
  type WriteOperation,
} from '../../../record/sqlite/write/messages.ts';
import { isFatal, resultCode } from '../../../sqlite/connection.ts';
import { commitNumber } from '../../../sqlite/position.ts';
import type { OpenedDatabase } from './open-database.ts';
import {
  builtByOther,
  type CommitterEvents,
  cannotFollow,
  type Following,
  FollowTimes,
  failureOf,
  isOfOne,
  maxBatch,
  maxUnindexed,
  readTogether,
  sizeOf,
  type TransactionError,
  unindexedOf,
  type Work,
  workOfGroup,
} from './transaction.ts';

type Checkpoints = Pick<Checkpointer, 'committed' | 'empty'>;

/**
 * Commits operations, and decides when the indexes follow: with a commit while queries come, or when enough has gathered;
 * else `follow` does it between commits.
 */
export class Committer {
  readonly #opened: OpenedDatabase;
  readonly #db: DatabaseSync;
  readonly #checkpointer: Checkpoints;
  readonly #events: CommitterEvents;
  readonly #applier: Applier;
  readonly #follower: Follower;
  readonly #source: ChangeSource;
  readonly #commitNumber;
  readonly #countCommit;
  readonly #purging;
  readonly #times: FollowTimes;
  readonly #rebuildProblem: ReadRebuildProblem;
  /** Changes that the indexes lack, and how many of these were read for them; a large one counts as several. */
  #unindexed = 0;
  #read = 0;
  #commitMs = 0;
  /** Why the indexes cannot be brought up to date until the next start, which builds them again. */
  #stuck: OperationFailure | undefined;

  /** `lastQueryMs`: when this process began its last query, in ms since the epoch. */
  constructor(opened: OpenedDatabase, checkpointer: Checkpoints, lastQueryMs: () => number, events: CommitterEvents) {
    this.#opened = opened;
    this.#db = opened.db;
    this.#checkpointer = checkpointer;
    this.#events = events;
    this.#times = new FollowTimes(lastQueryMs);
    this.#rebuildProblem = createRebuildProblem(opened.db);
    this.#source = createChangeSource(opened.db);
    this.#follower = new Follower(opened.db, opened.declaredPaths ?? [], this.#source);
    this.#unindexed = unindexedOf(this.#source);
    if (!opened.declaredPaths) this.#stuck = builtByOther;
    this.#applier = new Applier(opened.db, createDamagedRows(opened.db));
    this.#commitNumber = opened.db.prepare(`SELECT ${commitNumber} AS commits FROM store`);
    this.#purging = opened.db.prepare('SELECT purging FROM store');
    this.#countCommit = opened.db.prepare('UPDATE store SET commits = commits + 1');
  }

  get unindexed(): number {
    return this.#unindexed;
  }

  /** Merges a part of all segments of the index into one, where that is worth it. False where there is nothing to do, or it failed. */
  mergeIndex(bytes: number): boolean {
    let isMore = false;
    const failure = this.#afterFollowing(() => {
      isMore = this.#follower.beginMergeAtRest() && this.#follower.merge(bytes) > 0;
      return isMore;
    });
    return isMore && failure === undefined;
  }

  /** Above 0 while something that was forgotten is still in the indexes, or in the log of SQLite. */
  get purgeStage() {
    return (this.#purging.get() as { purging: number }).purging;
  }

  /** Removes a part of what was forgotten. False where it has to wait, for a reader say. */
  purge(bytes: number): boolean {
    let isMerged = false;
    const failure = this.#afterFollowing(() => {
      if (this.purgeStage === 1 && this.#follower.beginPurge()) this.#db.exec('UPDATE store SET purging = 2');
      isMerged = this.#follower.merge(bytes) === 0 && this.purgeStage === 2;
      return true;
    });
    if (failure || (isMerged && !this.#checkpointer.empty())) return false;
    if (isMerged) this.#statements([{ sql: 'UPDATE store SET purging = 0', params: [] }]);
    return true;
  }

  get isRebuilding(): boolean {
    return Number.isFinite(this.#follower.rebuilding.builtTo());
  }

  /** Builds the next part of the indexes, in a transaction of its own. Returns why it could not. */
  rebuildPortion(): OperationFailure | undefined {
    return this.#afterFollowing(() => this.#follower.rebuild(besideCharacters) >= 0);
  }

  /** Does `write` in the transaction in which the indexes follow. Returns why it could not. */
  #afterFollowing(write: () => boolean, when: Following = 'before'): OperationFailure | undefined {
    if (this.#stuck) return this.#stuck;
    const work = (): Work => ({ result: [[]], isChanged: this.#stuck ? true : write(), records: 0 });
    const [result] = this.#commit(1, work, when);
    return typeof result === 'object' && 'failure' in result ? result : this.#stuck;
  }

  /** What is to be done for the indexes between commits: to read some changes, or to write what many have brought. */
  get dueForIndexes(): 'read' | 'follow' | undefined {
    if (this.#stuck) return undefined;
    if (this.#unindexed >= maxUnindexed) return 'follow';
    return this.#unindexed - this.#read >= readTogether ? 'read' : undefined;
  }

  readAhead(): void {
    this.#follower.readAhead();
    this.#read = this.#unindexed;
  }

  run(operations: readonly Operation[]): void {
    let changes: ChangeOperation[] = [];
    const commit = () => {
      if (changes.length > 0) this.#done(this.#changes(changes));
      changes = [];
    };
    for (const operation of operations) {
      if (isChange(operation)) {
        if (changes.push(operation) === maxBatch) commit();
        continue;
      }
      commit();
      if (operation[0] === 'group') this.#done(this.#group(operation[1]));
      else this.#done(operation[0] === 'catchUp' ? this.#catchUp(operation) : this.#statements(operation[1]));
    }
    commit();
  }

  /** Indexes what waits. Returns why it could not. */
  follow(): OperationFailure | undefined {
    if (this.#stuck) return this.#stuck;
    // Another process may have written, too.
    this.#unindexed = unindexedOf(this.#source);
    if (this.#unindexed === 0) return undefined;
    return this.#afterFollowing(() => true, 'after');
  }

  #done(results: readonly OperationResult[]): void {
    this.#events.done(results, this.#commitMs, this.#unindexed);
  }

  /** One transaction. Throws with nothing applied, except that a failed COMMIT leaves the outcome unknown. */
  #transaction(work: () => Work, following?: Following): readonly OperationResult[] {
    const db = this.#db;
    let stage = 'work' as 'work' | 'follow' | 'commit';
    db.exec('BEGIN IMMEDIATE');
    try {
      const onIndexes = (work: () => void) => {
        stage = 'follow';
        work();
        stage = 'work';
      };
      if (following === 'before') onIndexes(() => this.#follower.follow());
      const { result, isChanged, records, size = 0, copied } = work();
      // What was indexed is kept even so.
      if (!isChanged && following !== 'before') {
        db.exec('ROLLBACK');
        return result;
      }
      const mayFollow = following !== 'never' && !this.#stuck;
      const isComplete = following === 'after' || (mayFollow && (copied !== undefined || this.#times.isQueried()));
      if (isComplete) onIndexes(() => this.#follower.follow(copied));
      if (mayFollow && records > 0) onIndexes(() => this.#follower.mergeDue(isComplete, copied !== undefined));
      const { commits } = this.#commitNumber.get() as { commits: number };
      stage = 'commit';
      const before = performance.now();
      db.exec('COMMIT');
      this.#commitMs = performance.now() - before;
      this.#opened.acknowledgedFile.acknowledge(commits);
      if (isComplete || following === 'before') [this.#unindexed, this.#read] = [0, 0];
      if (!isComplete && records > 0) this.#unindexed += Math.max(records, size);
      this.#checkpointer.committed();
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      this.#follower.rolledBack();
      throw Object.assign(error as TransactionError, {
        duringCommit: stage === 'commit',
        duringFollow: stage === 'follow',
      });
    }
  }

  /** All changes in one commit; where one of them cannot be applied at all, each in its own, so that only it fails. */
  #changes(changes: readonly ChangeOperation[]): readonly OperationResult[] {
    const results = this.#changesTogether(changes);
    const first = results[0];
    const alone = changes.length > 1 && typeof first === 'object' && 'failure' in first && isOfOne(first);
    return alone ? changes.flatMap((change) => this.#changesTogether([change])) : results;
  }

  #changesTogether(changes: readonly ChangeOperation[]): readonly OperationResult[] {
    const work = (): Work => {
      const { outcomes, ...applied } = this.#applier.apply(changes, Date.now());
      if (applied.isChanged && applied.records === 0) this.#countCommit.run();
      return { result: outcomes, ...applied, size: sizeOf(changes) };
    };
    return this.#commit(changes.length, work, this.#following(changes, false));
  }

  /** All changes or none, in a transaction of their own: others must not depend on whether these can be applied. */
  #group(changes: readonly WriteOperation[]): readonly OperationResult[] {
    const work = () => workOfGroup(this.#applier.apply(changes, Date.now()), sizeOf(changes));
    const results = this.#commit(1, work, this.#following(changes, true));
    if (results[0] !== 'committed') this.#follower.rolledBack();
    return results;
  }

  #statements(statements: readonly Statement[]): readonly OperationResult[] {
    return this.#commit(1, () => {
      const counts = statements.map(({ sql, params }) => Number(this.#db.prepare(sql).run(...params).changes));
      this.#countCommit.run();
      return { result: [counts], isChanged: true, records: 0 };
    });
  }

  #following(changes: readonly ChangeOperation[], isGroup: boolean): Following | undefined {
    return this.#stuck ? undefined : this.#times.of(changes, this.#unindexed, isGroup);
  }

  /** Does work in a transaction. Returns why it could not as each of so many results. */
  #commit(count: number, work: () => Work, following?: Following): readonly OperationResult[] {
    try {
      return this.#guarded(work, following);
    } catch (error) {
      const failure = failureOf(error as TransactionError);
      if (isFatal(error)) this.#events.fatal(failure.message);
      return new Array<OperationResult>(count).fill(failure);
    }
  }

  /** If a change cannot be indexed, it is committed with its record all the same: only queries have to wait. */
  #guarded(work: () => Work, following?: Following): readonly OperationResult[] {
    try {
      return this.#transaction(work, following);
    } catch (error) {
      const { duringFollow, message } = error as TransactionError;
      if (!duringFollow || resultCode(error) !== undefined) throw error;
      this.#stuck = { failure: 'error', message };
      this.#events.note(cannotFollow(message));
      return this.#transaction(work, 'never');
    }
  }

  /** With a project, for its queries: they have to wait while the indexes are built again. */
  #catchUp([, projectKey, suspects]: CatchUpOperation): readonly OperationResult[] {
    if (suspects) return [this.#afterFollowing(() => this.#follower.setAside(suspects)) ?? []];
    const problem = projectKey === undefined || this.#stuck ? undefined : this.#rebuildProblem();
    if (problem !== undefined) return [{ failure: 'rebuilding', message: problem }];
    this.#times.noteCatchUp();
    return [this.follow() ?? []];
  }
}
