import { type DeliveryState, readState, writeState } from '../records/delivery-state.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { DeliveryDeps } from './deps.ts';
import { DeliverySession } from './session.ts';

/** A process yields to the one that delivered last for so long, if that one has given its lease back. */
const courtesyMs = 300;
/** Longer timers overflow. */
const maxTimerMs = 3_600_000;

/**
 * Delivers to one subscription whenever there is something to deliver and no other process does. It takes the lease only
 * then, so that an idle subscription costs nothing.
 */
export class Courier {
  readonly #deps: DeliveryDeps;
  readonly #hideLag: () => void;
  #subscription: Subscription;
  #session: DeliverySession | undefined;
  #isClosed = false;
  #isTrying = false;
  #isWoken = false;
  /** Another process delivers until then (ms since the epoch). */
  #othersUntilMs = 0;
  /** The receiver changed while no session ran: held deliveries are due at once. */
  #isHurried = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: DeliveryDeps, subscription: Subscription) {
    this.#deps = deps;
    this.#subscription = subscription;
    this.#hideLag = deps.metrics.showLag(subscription.id, () => this.#session?.lagMs());
    this.wake();
  }

  /** The log may have more changes. */
  wake(): void {
    this.#session?.wake();
    if (this.#session !== undefined) return;
    this.#isWoken = true;
    if (this.#isTrying || this.#isStopped()) return;
    if (this.#othersUntilMs > this.#deps.nowMs()) this.#wakeAt(this.#othersUntilMs);
    else void this.#tryLease();
  }

  update(changed: Subscription): void {
    const { url, disabled } = this.#subscription;
    const hasMoved = changed.url !== url || changed.disabled !== disabled;
    this.#subscription = changed;
    const isUsed = this.#session?.update(changed, hasMoved) ?? false;
    if (hasMoved && !isUsed) this.#isHurried = true;
    this.wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#hideLag();
    await this.#session?.end();
  }

  #isStopped(): boolean {
    return this.#isClosed || this.#subscription.disabled !== undefined;
  }

  #wakeAt(timeMs: number): void {
    clearTimeout(this.#timer);
    const delayMs = Math.min(Math.max(timeMs - this.#deps.nowMs(), 1), maxTimerMs);
    this.#timer = setTimeout(() => this.wake(), delayMs);
  }

  #yieldUntil(timeMs: number): void {
    this.#othersUntilMs = timeMs;
    this.#wakeAt(timeMs);
  }

  async #tryLease(): Promise<void> {
    const { nowMs, timing } = this.#deps;
    this.#isTrying = true;
    clearTimeout(this.#timer);
    try {
      while (this.#isWoken && this.#session === undefined && !this.#isClosed) {
        this.#isWoken = false;
        await this.#takeLease();
      }
    } catch (error) {
      this.#write('warn', 'webhook-lease-failed', { error });
      if (!this.#isClosed) this.#wakeAt(nowMs() + timing.leaseMs);
    }
    this.#isTrying = false;
  }

  /** Takes the lease and starts a session, if there is something to deliver and no other process has the lease. */
  async #takeLease(): Promise<void> {
    const { store, source, nowMs, timing, processId, random } = this.#deps;
    const found = await readState(store, this.#subscription);
    // The subscription was deleted; the dispatcher closes this courier.
    if (found === undefined) return;
    const now = nowMs();
    const state = this.#isHurried ? hurried(found.state, now) : found.state;
    if (state.untilMs > now && state.owner !== processId) {
      return this.#yieldUntil(state.untilMs + Math.round((random() * timing.leaseMs) / 10));
    }
    const { epoch, last } = await source.log.bounds(this.#subscription.projectKey);
    const dueMs = nextDueMs(state);
    const isDown = state.downSinceMs > 0 && state.held.length > 0;
    const hasNew = !isDown && (epoch !== state.epoch || last > state.position);
    if (!hasNew && dueMs > now) {
      this.#othersUntilMs = 0;
      if (Number.isFinite(dueMs)) this.#wakeAt(dueMs);
      return;
    }
    const isOthers = state.owner !== processId && state.owner !== '';
    if (isOthers && state.untilMs === 0 && this.#othersUntilMs === 0) {
      return this.#yieldUntil(now + Math.round((courtesyMs * (1 + random())) / 2));
    }
    const taken = { ...this.#inLog(state, epoch, last), owner: processId, untilMs: now + timing.leaseMs };
    const at = new Date(now).toISOString();
    const fence = await writeState(store, this.#subscription, { state: taken, fence: found.fence }, at);
    if (fence === undefined) return this.#yieldUntil(nowMs() + timing.leaseMs / 10);
    this.#othersUntilMs = 0;
    if (isOthers) this.#write('info', 'webhook-lease-taken', { from: state.owner });
    // Closed or disabled meanwhile: the lease expires.
    if (this.#isStopped()) return;
    const onOver = (goneVersion: number | undefined) => this.#onOver(goneVersion);
    this.#session = new DeliverySession(this.#deps, this.#subscription, { state: taken, fence }, onOver);
    // The receiver may have changed while the lease was taken.
    if (this.#isHurried) this.#session.update(this.#subscription, true);
    this.#isHurried = false;
  }

  /** Adapts a state to the log: positions are void in a log that was replaced or lost its end. */
  #inLog(state: DeliveryState, epoch: string, last: number): DeliveryState {
    if (state.epoch === epoch && state.position <= last) return state;
    this.#write('warn', 'webhook-log-replaced', { position: state.position, last });
    const held = state.held.filter(({ sequence }) => state.epoch === epoch && sequence <= last);
    return { ...state, epoch, position: Math.min(state.position, last), held };
  }

  #onOver(goneVersion: number | undefined): void {
    this.#session = undefined;
    // The dispatcher has not read the disabled subscription yet.
    if (this.#subscription.version === goneVersion) this.#subscription = { ...this.#subscription, disabled: 'gone' };
    // Changes that came while the session ended, and attempts that are due later.
    setImmediate(() => this.wake());
  }

  #write(level: 'info' | 'warn', event: string, fields: Readonly<Record<string, unknown>>): void {
    const { projectKey, id } = this.#subscription;
    this.#deps.log.write(level, event, { projectKey, subscription: id, ...fields });
  }
}

/** When the next attempt may be made. While a receiver is down, failed changes go first. */
function nextDueMs({ held, downSinceMs }: DeliveryState): number {
  const failed = downSinceMs > 0 ? held.filter(({ attempts }) => attempts > 0) : [];
  return Math.min(...(failed.length > 0 ? failed : held).map(({ dueMs }) => dueMs));
}

function hurried(state: DeliveryState, nowMs: number): DeliveryState {
  return { ...state, held: state.held.map((held) => ({ ...held, dueMs: Math.min(held.dueMs, nowMs) })) };
}
