import type { LoggedChange } from '../../domain/ports/change-log.ts';
import { changesPassing, selectChanges } from '../message/events.ts';
import { deleteDeadLetters, isOfResource } from '../records/dead-letters.ts';
import type { LeasedState } from '../records/delivery-state.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { DeliveryDeps } from './deps.ts';
import type { Lane } from './lanes.ts';

const changesPerRead = 100;

/** Reads the change log of a project for one subscription, and counts the events that the log no longer has. */
export class LogReader {
  readonly #deps: DeliveryDeps;
  subscription: Subscription;
  /** All changes up to here were read. */
  position: number;
  /** Events that were pruned or damaged before they were read. */
  missed: number;
  /** False once the end of the log was read; a wake-up makes it true. */
  mayHaveMore = true;

  constructor(deps: DeliveryDeps, subscription: Subscription, { position, missed }: LeasedState['state']) {
    this.#deps = deps;
    this.subscription = subscription;
    this.position = position;
    this.missed = missed;
  }

  /** Reads the next changes. Returns those to deliver; `hasAdvanced`: the position has moved. */
  async read(): Promise<{ readonly wanted: readonly LoggedChange[]; readonly hasAdvanced: boolean }> {
    const { source, store, metrics } = this.#deps;
    const { projectKey } = this.subscription;
    const { position } = this;
    this.mayHaveMore = false;
    const { changes, upTo, isDamaged } = await changesPassing(source, projectKey, position, changesPerRead);
    // Later than the changes, so that pruning in between is noticed.
    const { pruned, last } = await source.log.bounds(projectKey);
    const wanted = await selectChanges(source, projectKey, this.subscription, changes);
    for (const change of changes) {
      // A forgotten resource leaves no copies in dead letters.
      if (change.origin.type === 'forgotten') {
        await deleteDeadLetters(store, this.subscription, (letter) => isOfResource(letter, change.id));
      }
    }
    if (isDamaged || pruned > position) this.noteMissed(Math.max(1, pruned - position));
    this.position = Math.max(upTo, position);
    if (this.position < last) this.mayHaveMore = true;
    metrics.read(wanted.length);
    return { wanted, hasAdvanced: upTo > position };
  }

  /** Reads the change that a lane delivers next; undefined if the log no longer has it. */
  async changeOf({ sequence, id }: Lane): Promise<LoggedChange | undefined> {
    const { changes } = await changesPassing(this.#deps.source, this.subscription.projectKey, sequence - 1, 1);
    const [change] = changes;
    return change?.sequence === sequence && change.id === id ? change : undefined;
  }

  /** Finds the change that follows a delivered one in its lane; undefined if the lane is done. */
  async changeAfter(lane: Lane): Promise<LoggedChange | undefined> {
    const { source } = this.#deps;
    const { projectKey } = this.subscription;
    let after = lane.sequence;
    // `lane.last` grows when the log is read meanwhile.
    while (after < lane.last) {
      const { changes, upTo, isDamaged } = await changesPassing(source, projectKey, after, 1, { id: lane.id });
      const [change] = await selectChanges(source, projectKey, this.subscription, changes);
      if (change !== undefined && change.sequence <= lane.last) return change;
      if (upTo <= after) break;
      if (isDamaged && upTo <= lane.last) this.noteMissed(1);
      after = upTo;
    }
    return undefined;
  }

  noteMissed(count: number): void {
    const { metrics, log } = this.#deps;
    const { projectKey, id } = this.subscription;
    this.missed += count;
    metrics.missed(count);
    log.write('error', 'webhook-events-missed', { projectKey, subscription: id, atMost: count });
  }
}
