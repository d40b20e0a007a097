import { randomBytes } from 'node:crypto';
import type { ChangeLog } from '../domain/ports/change-log.ts';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import { type Log, withoutRepeats } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type DeliveryTiming, usualTiming } from './delivery/deps.ts';
import { registerDeliveryMetrics } from './delivery/metrics.ts';
import type { Delivery } from './delivery/open-delivery.ts';
import { createSlots } from './delivery/slots.ts';
import { receiverAddresses } from './message/addresses.ts';
import { createSecret } from './message/signature.ts';
import type { ReplayDeps } from './replay.ts';
import { disableGone, type ManageDeps } from './subscription/manage.ts';
import type { Subscription } from './subscription/subscription.ts';

export interface WebhooksDeps {
  readonly store: ResourceStore;
  readonly changes: ChangeLog;
  /** False where changes are not logged: there is nothing to deliver. */
  readonly isLogKept: boolean;
  /** Ranges of addresses that receivers may have besides public ones. */
  readonly allowedAddresses: readonly string[];
  /** Names the service and its version to receivers. */
  readonly userAgent: string;
  readonly maxDocumentBytes: number;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Times that differ from the usual ones. */
  readonly timing?: Partial<DeliveryTiming> | undefined;
}

/** The subscriptions of all projects: what routes need of them, and their deliveries. */
export interface Webhooks {
  readonly manage: ManageDeps;
  readonly replay: ReplayDeps;
  /** Begins to deliver. */
  start(): void;
  /** Ends the deliveries, and gives the leases back. */
  close(): Promise<void>;
}

/** Deliveries at the same time in a process. */
const maxDeliveries = 256;

/** Opens the subscriptions. Nothing is delivered before `start`. */
export function openWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, changes, log, nowMs, newId } = deps;
  const timing = { ...usualTiming, ...deps.timing };
  const addresses = receiverAddresses(deps.allowedAddresses);
  const metrics = registerDeliveryMetrics(deps.metrics);
  let delivery: Promise<Delivery> | undefined;
  let [isStarted, isClosed] = [false, false];

  function opened(): Promise<Delivery> {
    // Loaded on demand, as what it imports of Node would cost every start.
    delivery ??= import('./delivery/open-delivery.ts').then(({ openDelivery }) =>
      openDelivery({
        store,
        log: withoutRepeats(log),
        nowMs,
        timing,
        metrics,
        addresses,
        userAgent: deps.userAgent,
        random: Math.random,
        processId: newId(),
        source: { store, log: changes },
        slots: createSlots(maxDeliveries),
        onGone,
      }),
    );
    return delivery;
  }

  async function onGone({ projectKey, id, version }: Subscription): Promise<void> {
    const nowIso = new Date(nowMs()).toISOString();
    const context = { nowIso, clientId: 'webhooks', newId, maxDocumentBytes: deps.maxDocumentBytes };
    await disableGone(manage, { projectKey, context }, id, version);
    log.write('warn', 'webhook-receiver-gone', { projectKey, subscription: id });
  }

  /** Tells the dispatcher, unless it is another process that delivers. */
  function tell(act: (dispatcher: Delivery['dispatcher']) => void): void {
    if (!isStarted || isClosed) return;
    opened().then(
      ({ dispatcher }) => isClosed || act(dispatcher),
      (error: unknown) => log.write('error', 'webhooks-not-loaded', { error }),
    );
  }

  const manage: ManageDeps = {
    store,
    changes,
    isLogKept: deps.isLogKept,
    urlProblem: addresses.urlProblem,
    newSecret: () => createSecret(randomBytes),
    onChange: (projectKey) => tell((dispatcher) => dispatcher.changed(projectKey)),
  };
  return {
    manage,
    replay: { store, nowMs, newId, send: async (...message) => (await opened()).send(...message) },
    start() {
      isStarted = deps.isLogKept;
      tell((dispatcher) => dispatcher.start());
    },
    async close() {
      isClosed = true;
      await delivery?.then((one) => one.close()).catch(() => {});
    },
  };
}
