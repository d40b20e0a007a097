import type { LoggedChange } from '../../domain/ports/change-log.ts';
import { messageOf, subjectOf } from '../message/events.ts';
import { failureOf, type Message, type SendResult } from '../message/send.ts';
import type { Attempt } from '../records/attempts.ts';
import { deadLetterId, keepDeadLetter } from '../records/dead-letters.ts';
import type { DeliveryState } from '../records/delivery-state.ts';
import { signingSecrets } from '../subscription/subscription.ts';
import type { DeliveryDeps } from './deps.ts';
import { Health } from './health.ts';
import { type Lane, Lanes } from './lanes.ts';
import type { LogReader } from './log-reader.ts';
import { retryDelayMs } from './schedule.ts';

/** Unsaved attempts beyond these are dropped, the oldest first. */
const maxUnsavedAttempts = 100;
/** The delay of a delivery that the store failed. */
const storeRetryMs = 5000;

/** Sends the changes of the lanes of a subscription to its receiver, as many at a time as its health allows. */
export class Sender {
  readonly #deps: DeliveryDeps;
  readonly #reader: LogReader;
  readonly #epoch: string;
  readonly #onSettled: () => void;
  readonly lanes: Lanes;
  readonly health: Health;
  /** True once no more attempts may start. */
  isStopped = false;
  /** Attempts in flight. */
  sending = 0;
  /** Changes of the progress since it was saved. */
  unsaved = 0;
  /** Attempts to be saved with it, newest first. */
  readonly attempts: Attempt[] = [];
  /** The end of the lease, in ms since the epoch. */
  leasedUntilMs: number;
  /** The version of the subscription that a 410 of its receiver disabled. */
  goneVersion: number | undefined;
  readonly #idle = Promise.withResolvers<void>();

  /** `onSettled` is called after each attempt, and when another subscription frees a slot. */
  constructor(
    deps: DeliveryDeps,
    reader: LogReader,
    { epoch, held, downSinceMs, untilMs }: DeliveryState,
    onSettled: () => void,
  ) {
    this.#deps = deps;
    this.#reader = reader;
    this.#epoch = epoch;
    this.#onSettled = onSettled;
    this.lanes = new Lanes(held, deps.nowMs());
    this.health = new Health(downSinceMs);
    this.leasedUntilMs = untilMs;
  }

  /** Starts the attempts that are due. */
  startDue(): void {
    const { nowMs, slots } = this.#deps;
    const { health } = this;
    const now = nowMs();
    if (health.waitsUntilMs > now || this.leasedUntilMs <= now) return;
    while (!this.isStopped && this.sending < health.concurrency) {
      if (!slots.take(this.#onSettled)) return;
      const lane = this.lanes.take(now, health.isDown);
      if (lane === undefined) {
        slots.free();
        return;
      }
      this.sending += 1;
      void this.#deliver(lane);
    }
  }

  /** Starts no more attempts, and waits for those in flight. */
  async drain(maxMs: number): Promise<void> {
    this.isStopped = true;
    const late = setTimeout(() => this.#idle.resolve(), maxMs);
    if (this.sending > 0) await this.#idle.promise;
    clearTimeout(late);
  }

  async #deliver(lane: Lane): Promise<void> {
    const { nowMs, slots } = this.#deps;
    try {
      const isDone = await this.#attempt(lane);
      const change = isDone ? await this.#reader.changeAfter(lane) : undefined;
      if (!isDone) this.lanes.putBack(lane);
      else if (change === undefined) this.lanes.remove(lane);
      else this.lanes.moveOn(lane, change);
    } catch (error) {
      this.#warn('webhook-delivery-interrupted', error);
      lane.failedMs = nowMs();
      lane.dueMs = lane.failedMs + storeRetryMs;
      this.lanes.putBack(lane);
    }
    this.sending -= 1;
    this.unsaved += 1;
    slots.free();
    if (this.sending === 0) this.#idle.resolve();
    this.#onSettled();
  }

  /** Makes one attempt. True: the change of the lane is delivered, or needs no further attempt. */
  async #attempt(lane: Lane): Promise<boolean> {
    const { source, send, nowMs, metrics } = this.#deps;
    const { health } = this;
    const { subscription } = this.#reader;
    const change = lane.change ?? (await this.#reader.changeOf(lane));
    if (change === undefined) {
      this.#reader.noteMissed(1);
      return true;
    }
    const message = await messageOf(source, subscription.projectKey, this.#epoch, change, subscription.include);
    const result = await send(subscription.url, signingSecrets(subscription, nowMs()), message);
    const { ok, status, failure, durationMs } = result;
    const at = new Date(nowMs()).toISOString();
    const attempt = lane.attempts + 1;
    this.attempts.unshift({ at, ...identify(change, message), attempt, status, failure, durationMs });
    this.attempts.splice(maxUnsavedAttempts);
    metrics.sent(ok, durationMs);
    const wasDownSinceMs = health.isDown ? health.failingSinceMs : undefined;
    health.settled(result, nowMs());
    if (!ok) return this.#isGivenUp(lane, change, message, result);
    if (wasDownSinceMs !== undefined) this.lanes.hasten(wasDownSinceMs, nowMs());
    return true;
  }

  /** Decides what follows a failed attempt: a retry, or after the last one a dead letter. */
  async #isGivenUp(lane: Lane, change: LoggedChange, message: Message, result: SendResult): Promise<boolean> {
    const { timing, random, nowMs, store, metrics } = this.#deps;
    const now = nowMs();
    lane.attempts += 1;
    lane.failedMs = now;
    lane.change = undefined;
    if (result.status === 410) {
      await this.#disable();
      return false;
    }
    const { attempts } = lane;
    const delayMs = retryDelayMs(timing.retryDelaysMs, attempts, result.retryAfterMs, random());
    if (delayMs !== undefined) {
      lane.dueMs = now + delayMs;
      return false;
    }
    const letter = { id: deadLetterId(lane.sequence), ...identify(change, message), attempts, body: message.body };
    const failed = { at: new Date(now).toISOString(), lastFailure: failureOf(result) };
    await keepDeadLetter(store, this.#reader.subscription, { ...letter, ...failed });
    metrics.deadLetter();
    return true;
  }

  /** The receiver is gone for good: ends the deliveries and disables the subscription. */
  async #disable(): Promise<void> {
    const { subscription } = this.#reader;
    this.isStopped = true;
    try {
      await this.#deps.onGone(subscription);
      this.goneVersion = subscription.version;
    } catch (error) {
      this.#warn('webhook-not-disabled', error);
    }
  }

  #warn(event: string, error: unknown): void {
    const { projectKey, id } = this.#reader.subscription;
    this.#deps.log.write('warn', event, { projectKey, subscription: id, error });
  }
}

function identify(change: LoggedChange, message: Message) {
  const { origin, sequence } = change;
  return { messageId: message.id, type: origin.type, resourceId: subjectOf(change), sequence };
}
