import type { DeliveryReport, Subscription, SubscriptionDeliveries } from 'generic-resource-service-client/api-types';
import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { notify, notifyError } from '../app/notices.tsx';
import { go, place } from '../app/router.ts';
import { read } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Confirm } from '../components/dialogs/confirm.tsx';
import { RotateSecret } from '../components/dialogs/rotate-secret.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Problem } from '../components/problem.tsx';
import { Tabs } from '../components/tabs.tsx';
import { useRead } from '../model/use-read.ts';
import { DeadLetters } from './dead-letters.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { SigningSecret, StateBadge, type StateProps } from './state.tsx';
import { hasFailed, outcomeOf, pathBelow, updateCall } from './subscription.ts';
import { SubscriptionForm } from './subscription-form.tsx';

/** How often the state of deliveries is read while somebody looks. */
const refreshMs = 3000;

/** A subscription and its deliveries, read again and again, and what can be done with it. */
function useSubscription(projectKey: string, id: string) {
  const { value, error, problem, reload } = useRead(
    async (signal) => {
      const path = (...rest: readonly string[]) => ({ path: pathBelow(projectKey, id, ...rest), signal });
      const found = await read<Subscription>(projectKey, path());
      return { found, deliveries: await read<SubscriptionDeliveries>(projectKey, path('deliveries')) };
    },
    id,
    { pauseMs: refreshMs },
  );
  const subscription = value?.found;
  const isGone = error instanceof ApiError && error.status === 404;

  return {
    ...{ subscription, deliveries: value?.deliveries, reload },
    problem: isGone ? 'This subscription does not exist, or has been deleted.' : problem,
    async update(action: JsonMap): Promise<void> {
      try {
        await read(projectKey, updateCall(projectKey, subscription!, [action]));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        notify(texts.changed, true);
      }
      await reload();
    },
    async test(): Promise<void> {
      const path = pathBelow(projectKey, id, 'test');
      const report = await read<DeliveryReport>(projectKey, { method: 'POST', path });
      const { delivered: yes, notDelivered } = texts.subscriptions;
      notify(report.delivered ? yes(report.status ?? 0) : notDelivered(outcomeOf(report)), !report.delivered);
      await reload();
    },
    async remove(): Promise<void> {
      const query = new URLSearchParams({ version: String(subscription!.version) });
      await read(projectKey, { method: 'DELETE', path: pathBelow(projectKey, id), query });
      go({ item: undefined });
    },
  };
}

type Live = ReturnType<typeof useSubscription>;
type OpenDialog = 'edit' | 'rotate' | 'delete';

/** One subscription: what it sends, how deliveries go, what was given up, and all that can be done about it. */
export function SubscriptionPage({ projectKey, id }: { readonly projectKey: string; readonly id: string }) {
  const live = useSubscription(projectKey, id);
  const { subscription, deliveries } = live;
  const [open, setOpen] = useState<OpenDialog>();
  const all = { projectKey, room: 'events', query: new URLSearchParams() } as const;
  const tab = place.value.query.get('tab') === 'letters' ? 'letters' : 'deliveries';
  return (
    <div class="page">
      <p>
        <PlaceLink to={all}>← All events and subscriptions</PlaceLink>
      </p>
      <Problem text={live.problem} />
      {subscription && (
        <>
          <div class="bar">
            <h1 class="code">{subscription.url}</h1>
            <StateBadge subscription={subscription} deliveries={deliveries} />
          </div>
          <Facts subscription={subscription} deliveries={deliveries} />
          <Actions live={live} deliveriesPath={pathBelow(projectKey, id, 'deliveries')} onOpen={setOpen} />
          <Tabs
            label={texts.subscriptions.heading}
            tabs={['deliveries', 'letters']}
            shown={tab}
            nameOf={(one) => (one === 'letters' ? texts.subscriptions.letters : texts.subscriptions.deliveries)}
          />
          {tab === 'letters' ? (
            <DeadLetters projectKey={projectKey} id={id} />
          ) : (
            deliveries && <DeliveryTable projectKey={projectKey} attempts={deliveries.attempts} />
          )}
          <Dialogs live={live} projectKey={projectKey} open={open} onClose={() => setOpen(undefined)} />
        </>
      )}
    </div>
  );
}

interface ActionsProps {
  readonly live: Live;
  readonly deliveriesPath: string;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function Actions({ live, deliveriesPath, onOpen }: ActionsProps) {
  const isPaused = live.subscription?.status === 'disabled';
  return (
    <div class="buttons">
      <Button label="Send a test" onClick={() => live.test().catch(notifyError)} />
      <Button
        label={isPaused ? 'Resume' : 'Pause'}
        onClick={() => live.update({ action: isPaused ? 'enable' : 'disable' }).catch(notifyError)}
      />
      <Button label="Edit" onClick={() => onOpen('edit')} />
      <Button label={texts.subscriptions.rotation.rotate} onClick={() => onOpen('rotate')} />
      <CopyAs call={() => ({ path: deliveriesPath })} />
      <Button label={texts.subscriptions.delete} kind="danger" onClick={() => onOpen('delete')} />
    </div>
  );
}

interface DialogsProps {
  readonly live: Live;
  readonly projectKey: string;
  readonly open: OpenDialog | undefined;
  readonly onClose: () => void;
}

function Dialogs({ live, projectKey, open, onClose }: DialogsProps) {
  const [secret, setSecret] = useState<string>();
  const subscription = live.subscription!;
  const reload = () => {
    onClose();
    void live.reload();
  };
  return (
    <>
      {open === 'edit' && (
        <SubscriptionForm
          projectKey={projectKey}
          subscription={subscription}
          onClose={onClose}
          onConflict={() => void live.reload()}
          onSaved={reload}
        />
      )}
      {open === 'rotate' && (
        <RotateSecret<{ readonly secret: string }>
          projectKey={projectKey}
          label={texts.subscriptions.rotation.rotate}
          words={texts.subscriptions.rotation}
          usual="86400"
          request={(overlapSeconds) =>
            updateCall(projectKey, subscription, [{ action: 'rotateSecret', overlapSeconds }])
          }
          onClose={onClose}
          onRotated={(made) => {
            setSecret(made.secret);
            reload();
          }}
        />
      )}
      {open === 'delete' && (
        <Confirm
          question="Delete this subscription?"
          hint="Its dead letters are deleted with it. A delivery on its way may still arrive."
          action={texts.subscriptions.delete}
          onClose={onClose}
          onConfirm={() => live.remove().catch(notifyError)}
        />
      )}
      {secret !== undefined && <SigningSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function Facts({ subscription, deliveries }: StateProps) {
  const { key, description, types, where, include, status, disabledReason, secrets } = subscription;
  const { held = 0, missed = 0, nextAttemptAt, attempts = [] } = deliveries ?? {};
  const state = status === 'disabled' ? 'disabled' : deliveries?.state;
  const old = secrets.find(({ expiresAt }) => expiresAt !== undefined);
  const failed = held > 0 ? attempts.find(hasFailed) : undefined;
  const words = texts.subscriptions;
  return (
    <div>
      <p>{disabledReason === 'gone' ? words.disabledGone : words.stateHints[state ?? '']}</p>
      {held > 0 && (
        <p>
          {[
            words.held(held),
            ...(nextAttemptAt === undefined ? [] : [`next attempt at ${new Date(nextAttemptAt).toLocaleTimeString()}`]),
            ...(failed ? [`last failure: ${outcomeOf(failed)}`] : []),
          ].join(' · ')}
        </p>
      )}
      {missed > 0 && <p class="problem">{`${missed} changes were deleted from the log before they were delivered.`}</p>}
      <p class="hint">
        {[
          ...(key === undefined ? [] : [key]),
          types?.join(', ') ?? texts.events.allTypes,
          where ?? 'All resources',
          ...(include === undefined ? [] : ['with the resource']),
        ].join(' · ')}
      </p>
      {old?.expiresAt !== undefined && (
        <p class="hint">{`Signed with ${secrets.length} secrets, the old one until ${new Date(old.expiresAt).toLocaleString()}`}</p>
      )}
      {description !== undefined && <p dir="auto">{description}</p>}
    </div>
  );
}
