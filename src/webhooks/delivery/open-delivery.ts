import { createReceivers, type Receivers } from '../message/receivers.ts';
import { createSender, type Send } from '../message/send.ts';
import type { DeliveryDeps } from './deps.ts';
import { Dispatcher } from './dispatcher.ts';

/** What sends, and what decides when. Loaded when it is first needed: a start does not wait for it. */
export interface Delivery {
  readonly send: Send;
  readonly dispatcher: Dispatcher;
  close(): Promise<void>;
}

/** Opens the deliveries of a process. Nothing is delivered before the dispatcher starts. */
export function openDelivery(
  deps: Omit<DeliveryDeps, 'send'> & { readonly addresses: Receivers['addresses']; readonly userAgent: string },
): Delivery {
  const { addresses, userAgent, nowMs, timing } = deps;
  const receivers = createReceivers(addresses);
  const send = createSender({ timeoutMs: timing.timeoutMs, userAgent, nowMs, routeOf: receivers.routeOf });
  const dispatcher = new Dispatcher({ ...deps, send });
  return {
    send,
    dispatcher,
    async close() {
      await dispatcher.close();
      receivers.close();
    },
  };
}
