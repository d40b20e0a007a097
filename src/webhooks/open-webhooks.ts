import { randomBytes } from 'node:crypto';
import type { Agent } from 'node:http';
import type { ChangeLog } from '../domain/ports/change-log.ts';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import { createAgent } from '../network/exchange.ts';
import { type Log, withoutRepeats } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type DeliveryTiming, usualTiming } from './delivery/deps.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { registerDeliveryMetrics } from './delivery/metrics.ts';
import { createSlots } from './delivery/slots.ts';
import { receiverAddresses } from './message/addresses.ts';
import { createSender } from './message/send.ts';
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

export type Webhooks = ReturnType<typeof openWebhooks>;

/** Deliveries at the same time in a process. */
const maxDeliveries = 256;

/** The subscriptions of all projects: what routes need of them, and their deliveries. Nothing is delivered before `start`. */
export function openWebhooks(deps: WebhooksDeps) {
  const { store, changes, log, nowMs, newId } = deps;
  const timing = { ...usualTiming, ...deps.timing };
  const addresses = receiverAddresses(deps.allowedAddresses);
  const metrics = registerDeliveryMetrics(deps.metrics);
  const agents = new Map<string, Agent>();
  const send = createSender({
    timeoutMs: timing.timeoutMs,
    userAgent: deps.userAgent,
    nowMs,
    routeOf(protocol) {
      // Made for the first receiver, since loading the modules takes time.
      const agent = agents.get(protocol) ?? createAgent(protocol);
      agents.set(protocol, agent);
      return { agent, guard: addresses.guardOf(protocol) };
    },
  });
  /** False where another process delivers. */
  let isDelivering = false;

  async function onGone({ projectKey, id, version }: Subscription): Promise<void> {
    const nowIso = new Date(nowMs()).toISOString();
    const context = { nowIso, clientId: 'webhooks', newId, maxDocumentBytes: deps.maxDocumentBytes };
    await disableGone(manage, { projectKey, context }, id, version);
    log.write('warn', 'webhook-receiver-gone', { projectKey, subscription: id });
  }

  const dispatcher = new Dispatcher({
    store,
    source: { store, log: changes },
    send,
    slots: createSlots(maxDeliveries),
    metrics,
    log: withoutRepeats(log),
    nowMs,
    random: Math.random,
    timing,
    processId: newId(),
    onGone,
  });
  const manage: ManageDeps = {
    store,
    changes,
    isLogKept: deps.isLogKept,
    urlProblem: addresses.urlProblem,
    newSecret: () => createSecret(randomBytes),
    onChange(projectKey) {
      if (isDelivering) dispatcher.changed(projectKey);
    },
  };
  return {
    manage,
    replay: { store, nowMs, newId, send } satisfies ReplayDeps,
    start(): void {
      isDelivering = deps.isLogKept;
      if (isDelivering) dispatcher.start();
    },
    /** Ends the deliveries, and gives the leases back. */
    async close(): Promise<void> {
      isDelivering = false;
      await dispatcher.close();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
