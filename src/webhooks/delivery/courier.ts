import { type DeliveryState, readState, writeState } from '../records/delivery-state.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { DeliveryDeps } from './deps.ts';
import { openSession, type Session } from './session.ts';

/** Delivers to a subscription whenever there is something to deliver and no other process does. */
export interface Courier {
  /** There may be more in the log. */
  wake(): void;
  update(subscription: Subscription): void;
  close(): Promise<void>;
}

/** A process that did not deliver last waits for so long at most: the one that did is there already, if it lives. */
const courtesyMs = 300;

/** Follows a subscription. It takes the lease only while there is something to do, so that an idle one costs nothing. */
export function createCourier(deps: DeliveryDeps, initial: Subscription): Courier {
  const { store, source, nowMs, timing, processId, metrics, log } = deps;
  const { projectKey, id } = initial;
  let subscription = initial;
  let session: Session | undefined;
  let isClosed = false;
  let [isTrying, isWoken] = [false, false];
  /** Another process delivers until then. */
  let othersUntilMs = 0;
  /** How often the client has changed where it goes while nothing was delivered: what is held is due at once then. */
  let hurries = 0;
  let hurriesDone = 0;
  let timer: NodeJS.Timeout | undefined;
  const hideLag = metrics.showLag(id, () => session?.lagMs());

  function wake(): void {
    session?.wake();
    if (session !== undefined) return;
    isWoken = true;
    if (isTrying || isClosed || subscription.disabled !== undefined) return;
    if (othersUntilMs > nowMs()) tryAt(othersUntilMs);
    else void attempt();
  }

  function tryAt(timeMs: number): void {
    clearTimeout(timer);
    // Longer timers overflow.
    timer = setTimeout(wake, Math.min(Math.max(timeMs - nowMs(), 1), 3_600_000));
  }

  async function attempt(): Promise<void> {
    isTrying = true;
    clearTimeout(timer);
    try {
      while (isWoken && session === undefined && !isClosed) {
        isWoken = false;
        await take();
      }
    } catch (error) {
      log.write('warn', 'webhook-lease-failed', { projectKey, subscription: id, error });
      if (!isClosed) tryAt(nowMs() + timing.leaseMs);
    } finally {
      isTrying = false;
    }
  }

  /** Takes the lease, if there is something to do and nobody has it. */
  async function take(): Promise<void> {
    const found = await readState(store, projectKey, id);
    // Deleted: whoever manages the subscriptions closes this.
    if (found === undefined) return;
    const now = nowMs();
    const { fence } = found;
    const hurriesSeen = hurries;
    const state = hurriesSeen > hurriesDone ? hurried(found.state, now) : found.state;
    if (state.untilMs > now && state.owner !== processId) {
      othersUntilMs = state.untilMs + Math.round((deps.random() * timing.leaseMs) / 10);
      return tryAt(othersUntilMs);
    }
    const { epoch, last } = await source.log.bounds(projectKey);
    const dueMs = nextDueMs(state);
    const hasNew =
      state.downSinceMs > 0 && state.held.length > 0 ? false : epoch !== state.epoch || last > state.position;
    if (!hasNew && dueMs > now) {
      othersUntilMs = 0;
      if (Number.isFinite(dueMs)) tryAt(dueMs);
      return;
    }
    const isOthers = state.owner !== processId && state.owner !== '';
    if (isOthers && state.untilMs === 0 && othersUntilMs === 0) {
      othersUntilMs = now + Math.round((courtesyMs * (1 + deps.random())) / 2);
      return tryAt(othersUntilMs);
    }
    const taken = { ...inLog(state, epoch, last), owner: processId, untilMs: now + timing.leaseMs };
    const at = new Date(now).toISOString();
    const written = await writeState(store, projectKey, id, { state: taken, fence }, at);
    if (written === undefined) {
      othersUntilMs = nowMs() + timing.leaseMs / 10;
      return tryAt(othersUntilMs);
    }
    othersUntilMs = 0;
    hurriesDone = hurriesSeen;
    if (isOthers) log.write('info', 'webhook-lease-taken', { projectKey, subscription: id, from: state.owner });
    // Closed or disabled meanwhile: the lease runs out by itself.
    if (isClosed || subscription.disabled !== undefined) return;
    session = openSession(deps, subscription, { state: taken, fence: written }, over);
    // Changed while the lease was taken.
    if (hurries > hurriesDone) session.update(subscription, true);
    hurriesDone = hurries;
  }

  /** A state in the log as it is now: one that was replaced, or lost its end, has the positions of the state no more. */
  function inLog(state: DeliveryState, epoch: string, last: number): DeliveryState {
    if (state.epoch === epoch && state.position <= last) return state;
    log.write('warn', 'webhook-log-replaced', { projectKey, subscription: id, position: state.position, last });
    const held = state.held.filter(({ sequence }) => state.epoch === epoch && sequence <= last);
    return { ...state, epoch, position: Math.min(state.position, last), held };
  }

  function over(goneVersion: number | undefined): void {
    session = undefined;
    // Before the subscription is read again.
    if (subscription.version === goneVersion) subscription = { ...subscription, disabled: 'gone' };
    // What came while it ended, and what is due later.
    setImmediate(wake);
  }

  wake();
  return {
    wake,
    update(changed) {
      const isElsewhere = changed.url !== subscription.url || changed.disabled !== subscription.disabled;
      subscription = changed;
      const isTold = session?.update(changed, isElsewhere) ?? false;
      if (isElsewhere && !isTold) hurries += 1;
      wake();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      hideLag();
      await session?.end();
    },
  };
}

/** When the next attempt may be made. While a receiver is down, it is one of those that failed, if there are any. */
function nextDueMs({ held, downSinceMs }: DeliveryState): number {
  const failed = downSinceMs > 0 ? held.filter(({ attempts }) => attempts > 0) : [];
  return Math.min(...(failed.length > 0 ? failed : held).map(({ dueMs }) => dueMs));
}

function hurried(state: DeliveryState, nowMs: number): DeliveryState {
  return { ...state, held: state.held.map((held) => ({ ...held, dueMs: Math.min(held.dueMs, nowMs) })) };
}
