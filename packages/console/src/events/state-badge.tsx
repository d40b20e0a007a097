import { texts } from '../app/texts.ts';
import type { Deliveries, Subscription } from './subscription.ts';

interface StateBadgeProps {
  readonly subscription: Subscription;
  /** Undefined until they are read. */
  readonly deliveries: Deliveries | undefined;
}

const marks: Readonly<Record<string, string>> = { upToDate: 'good', retrying: 'warn', down: 'bad' };

/** How a subscription fares, in a word. */
export function StateBadge({ subscription, deliveries }: StateBadgeProps) {
  const state = subscription.status === 'disabled' ? 'disabled' : deliveries?.state;
  if (state === undefined) return null;
  return (
    <span class={`badge state ${marks[state] ?? ''}`} title={texts.subscriptions.stateHints[state]}>
      {texts.subscriptions.states[state] ?? state}
    </span>
  );
}
