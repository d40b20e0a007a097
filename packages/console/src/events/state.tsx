import type { Subscription, SubscriptionDeliveries } from 'generic-resource-service-client/api-types';
import { texts } from '../app/texts.ts';
import { SecretDialog } from '../components/dialogs/secret-dialog.tsx';

export interface StateProps {
  readonly subscription: Subscription;
  /** Undefined until they are read. */
  readonly deliveries: SubscriptionDeliveries | undefined;
}

const marks: Readonly<Record<string, string>> = { upToDate: 'good', retrying: 'warn', down: 'bad' };

/** How a subscription fares, in a word. */
export function StateBadge({ subscription, deliveries }: StateProps) {
  const state = subscription.status === 'disabled' ? 'disabled' : deliveries?.state;
  if (state === undefined) return null;
  return (
    <span class={`badge state ${marks[state] ?? ''}`} title={texts.subscriptions.stateHints[state]}>
      {texts.subscriptions.states[state] ?? state}
    </span>
  );
}

/** The secret that deliveries are signed with, once. */
export function SigningSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <SecretDialog
      heading={texts.subscriptions.secret}
      hint="The secret is shown only now. Store it where the receiver finds it."
      values={{ Secret: secret }}
      onClose={onClose}
    />
  );
}
