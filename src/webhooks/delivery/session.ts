import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { addAttempts } from '../records/attempts.ts';
import { type DeliveryState, type LeasedState, writeState } from '../records/delivery-state.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { DeliveryDeps } from './deps.ts';
import { LogReader } from './log-reader.ts';
import { Sender } from './sender.ts';

/** Most resources with a failed change. Reading the log pauses until some are settled. */
export const maxHeld = 10_000;
/** Most changes that are read ahead of the deliveries, apart from those of held resources. */
const readAhead = 500;
const settledPerSave = 20;

/**
 * Delivers the events of a subscription while this process holds its lease (decision 124): a loop that reads the log,
 * starts what is due, and saves the progress.
 */
export class DeliverySession {
  readonly #deps: DeliveryDeps;
  readonly #onOver: (goneVersion: number | undefined) => void;
  readonly #reader: LogReader;
  readonly #sender: Sender;
  /** `delivering` until the lease is given back (`releasing`, retried if the store fails) or lost (`over`). */
  #phase: 'delivering' | 'releasing' | 'over' = 'delivering';
  /** One loop runs at a time; `again` makes it take another round. */
  #loop: 'idle' | 'running' | 'again' = 'idle';
  readonly #constant: Pick<DeliveryState, 'epoch' | 'owner'>;
  /** The version of the state as this process wrote it last: the next write fails where another process wrote it since. */
  #fence: number;
  /** When the progress was last saved. */
  #savedMs: number;
  /** When there was last something to do. */
  #busyMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** Starts to deliver. `onOver` is called once; `goneVersion` is the version that the receiver's 410 disabled. */
  constructor(
    deps: DeliveryDeps,
    subscription: Subscription,
    { state, fence }: LeasedState,
    onOver: (goneVersion: number | undefined) => void,
  ) {
    this.#deps = deps;
    this.#onOver = onOver;
    this.#constant = { epoch: state.epoch, owner: state.owner };
    this.#fence = fence;
    this.#savedMs = deps.nowMs();
    this.#busyMs = deps.nowMs();
    this.#reader = new LogReader(deps, subscription, state);
    this.#sender = new Sender(deps, this.#reader, state, () => this.#continue());
    this.#continue();
  }

  /** The log may have more changes. */
  wake(): void {
    this.#reader.mayHaveMore = true;
    this.#continue();
  }

  /** Uses a changed subscription; `isHurried` makes failed attempts due at once. False: the session already ends. */
  update(subscription: Subscription, isHurried: boolean): boolean {
    this.#reader.subscription = subscription;
    if (isHurried) this.#sender.lanes.hasten(0, this.#deps.nowMs());
    if (subscription.disabled !== undefined) this.#sender.isStopped = true;
    this.#continue();
    return this.#phase === 'delivering';
  }

  /** Age in ms of the oldest known event that is not settled; 0 without one. */
  lagMs(): number {
    const now = this.#deps.nowMs();
    let oldestMs = now;
    for (const { atMs } of this.#sender.lanes.all()) oldestMs = Math.min(oldestMs, atMs);
    return now - oldestMs;
  }

  /** Starts no more attempts, waits for those in flight, and gives the lease back. */
  async end(): Promise<void> {
    await this.#sender.drain(this.#deps.timing.drainMs);
    while (this.#loop !== 'idle') await yieldToOthers();
    if (this.#phase !== 'over') await this.#release().catch(() => this.#finish());
  }

  #continue(): void {
    if (this.#phase === 'over') return;
    const isIdle = this.#loop === 'idle';
    this.#loop = 'again';
    if (isIdle) void this.#run();
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      while (this.#loop === 'again' && this.#phase !== 'over') {
        this.#loop = 'running';
        await this.#advance();
      }
    } catch (error) {
      // The store failed: changes that were read only in part are read again.
      this.#reader.mayHaveMore = true;
      const { projectKey, id } = this.#reader.subscription;
      this.#deps.log.write('warn', 'webhook-deliveries-interrupted', { projectKey, subscription: id, error });
      this.#schedule();
    }
    this.#loop = 'idle';
  }

  async #advance(): Promise<void> {
    const { nowMs, timing } = this.#deps;
    const sender = this.#sender;
    if (!sender.isStopped) {
      await this.#readLog();
      sender.startDue();
    }
    const now = nowMs();
    const hasWork = !sender.health.isDown && (this.#reader.mayHaveMore || sender.lanes.ready > 0);
    if (sender.sending > 0 || hasWork) this.#busyMs = now;
    const isNextFar = (sender.lanes.nextDueMs ?? Number.POSITIVE_INFINITY) > now + timing.leaseMs;
    const mayRelease = now - this.#busyMs >= timing.saveMs && !hasWork && isNextFar;
    if (sender.sending === 0 && (sender.isStopped || mayRelease)) return this.#release();
    const leftMs = sender.leasedUntilMs - now;
    const needsSave = sender.unsaved > 0 || leftMs < (timing.leaseMs * 2) / 3;
    const isLate = needsSave && now - this.#savedMs >= timing.saveMs;
    if (sender.unsaved >= settledPerSave || isLate || leftMs <= 0) {
      if (!(await this.#save(now + timing.leaseMs))) return this.#finish();
    }
    if (leftMs <= 0) this.#loop = 'again';
    this.#schedule();
  }

  /** Continues when the next attempt or save is due. */
  #schedule(): void {
    const { nowMs, timing } = this.#deps;
    const { lanes, health } = this.#sender;
    const now = nowMs();
    const times = [lanes.nextDueMs ?? 0, health.waitsUntilMs].filter((time) => time > now);
    const delayMs = Math.min(timing.saveMs, ...times.map((time) => time - now + 1));
    clearTimeout(this.#timer);
    if (this.#phase !== 'over') this.#timer = setTimeout(() => this.#continue(), delayMs);
  }

  /** Reads on in the log when the deliveries have come near the end of what was read. */
  async #readLog(): Promise<void> {
    if (!this.#needsChanges()) return;
    const { wanted, hasAdvanced } = await this.#reader.read();
    for (const change of wanted) this.#sender.lanes.add(change, this.#deps.nowMs());
    if (hasAdvanced) this.#sender.unsaved += 1;
    this.#sender.startDue();
    await yieldToOthers();
    // A loop here would never end beside steady writes, and the lease would expire.
    if (this.#needsChanges()) this.#loop = 'again';
  }

  #needsChanges(): boolean {
    const { lanes, health } = this.#sender;
    if (!this.#reader.mayHaveMore) return false;
    // A receiver that is down without a failed change can be probed only with a new one.
    return health.isDown ? lanes.size === 0 : lanes.ready < readAhead && lanes.size < maxHeld;
  }

  /** Saves the progress and holds the lease until a time; 0 gives it back. False: another process has it. */
  async #save(untilMs: number): Promise<boolean> {
    const { store, nowMs } = this.#deps;
    const { lanes, health, attempts } = this.#sender;
    const { position, missed, subscription } = this.#reader;
    this.#sender.unsaved = 0;
    const held = [...lanes.all()];
    const downSinceMs = health.isDown ? health.failingSinceMs : 0;
    const state: DeliveryState = { ...this.#constant, position, held, missed, downSinceMs, untilMs };
    const at = new Date(nowMs()).toISOString();
    const fence = await writeState(store, subscription, { state, fence: this.#fence }, at);
    // Attempts of a deleted subscription are dropped.
    if (fence === undefined) return false;
    this.#fence = fence;
    this.#sender.leasedUntilMs = untilMs;
    this.#savedMs = nowMs();
    if (attempts.length > 0) await addAttempts(store, subscription, attempts.splice(0), at);
    return true;
  }

  async #release(): Promise<void> {
    this.#phase = 'releasing';
    this.#sender.isStopped = true;
    await this.#save(0);
    this.#finish();
  }

  #finish(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#sender.isStopped = true;
    clearTimeout(this.#timer);
    this.#onOver(this.#sender.goneVersion);
  }
}
