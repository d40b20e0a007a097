import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { LoggedChange } from '../../domain/ports/change-log.ts';
import { changesPassing, messageOf, selectChanges, subjectOf } from '../message/events.ts';
import { failureOf, type Message, type SendResult } from '../message/send.ts';
import { deadLetterId, deleteDeadLetters, isOfResource, keepDeadLetter } from '../records/dead-letters.ts';
import type { LeasedState } from '../records/delivery-state.ts';
import { type Subscription, signingSecrets } from '../subscription/subscription.ts';
import type { DeliveryDeps } from './deps.ts';
import { createHealth } from './health.ts';
import { createLanes, type Lane } from './lanes.ts';
import { keepProgress } from './progress.ts';
import { retryDelayMs } from './schedule.ts';

/** The deliveries of a subscription while this process holds its lease. */
export interface Session {
  /** Goes on: there may be more in the log. */
  wake(): void;
  /** The subscription has changed; `isHurried`: what is held is due at once. False: too late, the lease is given back. */
  update(subscription: Subscription, isHurried: boolean): boolean;
  /** Age in ms of the oldest event that is known and not settled; 0 where there is none. */
  lagMs(): number;
  /** Starts no more deliveries, waits for those in flight, and gives the lease back. */
  end(): Promise<void>;
}

/** Most resources that are held. Then no more of the log is read until some are settled. */
export const maxHeld = 10_000;
/** Changes that are read ahead of the deliveries, apart from those of held resources. */
const readAhead = 500;
const portion = 100;
const settledPerSave = 20;
/** When a delivery is tried again that the store failed. */
const storeRetryMs = 5000;

/** Begins to deliver (decision 124). `onOver`: the lease is over; `goneVersion` is the one that the receiver's 410 disabled. */
export function openSession(
  deps: DeliveryDeps,
  initial: Subscription,
  leased: LeasedState,
  onOver: (goneVersion: number | undefined) => void,
): Session {
  const { store, source, slots, nowMs, timing, metrics, log } = deps;
  const { projectKey, id } = initial;
  const { epoch } = leased.state;
  let subscription = initial;
  let { position, missed } = leased.state;
  const lanes = createLanes(leased.state.held, nowMs());
  const health = createHealth(leased.state.downSinceMs);
  const progress = keepProgress(deps, initial, leased);
  let mayHaveMore = true;
  let sending = 0;
  let unsaved = 0;
  let busyMs = nowMs();
  let [isEnding, isReleasing, isOver] = [false, false, false];
  let [isRunning, isWoken] = [false, false];
  let goneVersion: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const idle = Promise.withResolvers<void>();

  /** Goes on with what is due. At most one run at a time. */
  function goOn(): void {
    isWoken = true;
    if (!isRunning && !isOver) void run();
  }

  async function run(): Promise<void> {
    isRunning = true;
    clearTimeout(timer);
    try {
      while (isWoken && !isOver) {
        isWoken = false;
        await advance();
      }
    } catch (error) {
      // Of the store. What was read only in part is read again.
      mayHaveMore = true;
      log.write('warn', 'webhook-deliveries-interrupted', { projectKey, subscription: id, error });
      schedule(timing.saveMs);
    } finally {
      isRunning = false;
    }
  }

  async function advance(): Promise<void> {
    if (!isEnding) {
      await readOn();
      startDue();
    }
    const now = nowMs();
    const dueMs = lanes.nextDueMs() ?? Number.POSITIVE_INFINITY;
    const isIdle = sending === 0 && (health.isDown() || (!mayHaveMore && lanes.ready() === 0));
    if (!isIdle) busyMs = now;
    const mayRest = isIdle && now - busyMs >= timing.saveMs && dueMs > now + timing.leaseMs;
    if (sending === 0 && (isEnding || mayRest)) return release();
    const isExpired = progress.untilMs() <= now;
    const renews = progress.untilMs() - now < (timing.leaseMs * 2) / 3;
    const isLate = now - progress.savedMs() >= timing.saveMs && (unsaved > 0 || renews);
    if ((unsaved >= settledPerSave || isLate || isExpired) && !(await save(now + timing.leaseMs))) return over();
    if (isExpired) isWoken = true;
    schedule(timing.saveMs);
  }

  function schedule(mostMs: number): void {
    const now = nowMs();
    const times = [lanes.nextDueMs() ?? 0, health.waitsUntilMs()].filter((time) => time > now);
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(goOn, Math.min(mostMs, ...times.map((time) => time - now + 1)));
  }

  /** Reads a portion of the log, if deliveries are near. */
  async function readOn(): Promise<void> {
    // Without anything that failed, it is what comes next that tells whether a receiver is back.
    const isNear = () => (health.isDown() ? lanes.size === 0 : lanes.ready() < readAhead && lanes.size < maxHeld);
    if (!mayHaveMore || isEnding || !isNear()) return;
    mayHaveMore = false;
    const { changes, upTo, isDamaged } = await changesPassing(source, projectKey, position, portion);
    // Later than what was read: nothing is pruned in between without being noticed.
    const { pruned, last } = await source.log.bounds(projectKey);
    const wanted = await selectChanges(source, projectKey, subscription, changes);
    for (const change of changes) if (change.origin.type === 'forgotten') await forgetLetters(change.id);
    for (const change of wanted) lanes.add(change, nowMs());
    if (isDamaged || pruned > position) noteMissed(Math.max(1, pruned - position));
    if (upTo > position) unsaved += 1;
    position = Math.max(upTo, position);
    if (position < last) mayHaveMore = true;
    metrics.read(wanted.length);
    startDue();
    await yieldToOthers();
    // Not in a loop here: beside constant writes it would not end, and the lease would.
    if (mayHaveMore && isNear()) isWoken = true;
  }

  function noteMissed(count: number): void {
    missed += count;
    metrics.missed(count);
    log.write('error', 'webhook-events-missed', { projectKey, subscription: id, atMost: count });
  }

  /** What was forgotten is not kept in dead letters either. */
  async function forgetLetters(resourceId: string): Promise<void> {
    await deleteDeadLetters(store, projectKey, id, (letter) => isOfResource(letter, resourceId));
  }

  function startDue(): void {
    const now = nowMs();
    while (!isEnding && sending < health.concurrency() && health.waitsUntilMs() <= now && progress.untilMs() > now) {
      if (!slots.take(goOn)) return;
      const lane = lanes.take(now, health.isDown());
      if (lane === undefined) {
        slots.free();
        return;
      }
      sending += 1;
      void deliver(lane);
    }
  }

  async function deliver(lane: Lane): Promise<void> {
    try {
      const change = lane.change ?? (await load(lane));
      if (change === undefined) {
        noteMissed(1);
        await next(lane);
        return;
      }
      const message = await messageOf(source, projectKey, epoch, change, subscription.include);
      const result = await deps.send(subscription.url, signingSecrets(subscription, nowMs()), message);
      note(lane, change, message, result);
      const [wasDown, sinceMs] = [health.isDown(), health.failingSinceMs()];
      health.settled(result, nowMs());
      if (!result.ok) return await failed(lane, change, message, result);
      if (wasDown) lanes.hasten(sinceMs, nowMs());
      await next(lane);
    } catch (error) {
      log.write('warn', 'webhook-delivery-interrupted', { projectKey, subscription: id, error });
      lane.failedMs = nowMs();
      lane.dueMs = nowMs() + storeRetryMs;
      lanes.putBack(lane);
    } finally {
      sending -= 1;
      unsaved += 1;
      slots.free();
      if (sending === 0) idle.resolve();
      goOn();
    }
  }

  async function load({ sequence, id: resourceId }: Lane): Promise<LoggedChange | undefined> {
    const { changes } = await changesPassing(source, projectKey, sequence - 1, 1);
    const [change] = changes;
    return change?.sequence === sequence && change.id === resourceId ? change : undefined;
  }

  function note({ attempts, sequence }: Lane, change: LoggedChange, message: Message, result: SendResult): void {
    const { status, failure, durationMs } = result;
    progress.note({
      ...{ at: new Date(nowMs()).toISOString(), messageId: message.id, type: change.origin.type },
      ...{ resourceId: subjectOf(change), sequence, attempt: attempts + 1, status, failure, durationMs },
    });
    metrics.sent(result.ok, durationMs);
  }

  async function failed(lane: Lane, change: LoggedChange, message: Message, result: SendResult): Promise<void> {
    const now = nowMs();
    lane.attempts += 1;
    lane.failedMs = now;
    lane.change = undefined;
    const { sequence, attempts } = lane;
    const delayMs = retryDelayMs(timing.retryDelaysMs, attempts, result.retryAfterMs, deps.random());
    if (result.status === 410) {
      isEnding = true;
      const { version } = subscription;
      try {
        await deps.onGone(subscription);
        goneVersion = version;
      } catch (error) {
        log.write('warn', 'webhook-not-disabled', { projectKey, subscription: id, error });
      }
      return lanes.putBack(lane);
    }
    if (delayMs !== undefined) {
      lane.dueMs = now + delayMs;
      return lanes.putBack(lane);
    }
    await keepDeadLetter(store, projectKey, id, {
      ...{ id: deadLetterId(sequence), messageId: message.id, sequence, resourceId: subjectOf(change) },
      ...{ type: change.origin.type, at: new Date(now).toISOString(), attempts },
      ...{ lastFailure: failureOf(result), body: message.body },
    });
    metrics.deadLetter();
    await next(lane);
  }

  /** Goes on with the next change of the resource of a lane, if there is one. */
  async function next(lane: Lane): Promise<void> {
    let after = lane.sequence;
    // The log may be read on meanwhile, so that `last` grows.
    while (after < lane.last) {
      const { changes, upTo, isDamaged } = await changesPassing(source, projectKey, after, 1, { id: lane.id });
      const [change] = await selectChanges(source, projectKey, subscription, changes);
      if (change !== undefined && change.sequence <= lane.last) return lanes.moveOn(lane, change);
      if (upTo <= after) break;
      if (isDamaged && upTo <= lane.last) noteMissed(1);
      after = upTo;
    }
    lanes.remove(lane);
  }

  async function save(untilMs: number): Promise<boolean> {
    unsaved = 0;
    const held = [...lanes.all()].map(({ id: resource, sequence, last, attempts, dueMs, atMs }) => {
      return { id: resource, sequence, last, attempts, dueMs, atMs };
    });
    const downSinceMs = health.isDown() ? health.failingSinceMs() : 0;
    return progress.save({ position, held, missed, downSinceMs }, untilMs);
  }

  async function release(): Promise<void> {
    isReleasing = true;
    await save(0);
    over();
  }

  function over(): void {
    isOver = true;
    isEnding = true;
    clearTimeout(timer);
    onOver(goneVersion);
  }

  goOn();
  return {
    wake() {
      mayHaveMore = true;
      goOn();
    },
    update(changed, isHurried) {
      subscription = changed;
      if (isHurried) lanes.hasten(0, nowMs());
      if (changed.disabled !== undefined) isEnding = true;
      goOn();
      return !isReleasing && !isOver;
    },
    lagMs() {
      let oldestMs = nowMs();
      for (const { atMs } of lanes.all()) oldestMs = Math.min(oldestMs, atMs);
      return nowMs() - oldestMs;
    },
    async end() {
      isEnding = true;
      const late = setTimeout(() => idle.resolve(), timing.drainMs);
      if (sending > 0) await idle.promise;
      clearTimeout(late);
      while (isRunning) await yieldToOthers();
      if (!isOver) await release().catch(() => over());
    },
  };
}
