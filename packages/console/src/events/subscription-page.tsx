import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { errorText, notify, notifyError } from '../app/notices.tsx';
import { go, place, setQuery } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Confirm } from '../components/confirm.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Problem } from '../components/problem.tsx';
import { RotateSecret } from '../components/rotate-secret.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { StateBadge } from './state-badge.tsx';
import {
  type Deliveries,
  hasFailed,
  outcomeOf,
  pathBelow,
  type Report,
  read,
  type Subscription,
  updateCall,
} from './subscription.ts';
import { SubscriptionForm } from './subscription-form.tsx';

/** How often the state of deliveries is read while somebody looks. */
const refreshMs = 3000;

interface PageProps {
  readonly projectKey: string;
  readonly id: string;
}

/** One subscription: what it sends, how deliveries go, what was given up, and all that can be done about it. */
export function SubscriptionPage({ projectKey, id }: PageProps) {
  const [subscription, setSubscription] = useState<Subscription>();
  const [deliveries, setDeliveries] = useState<Deliveries>();
  const [problem, setProblem] = useState('');
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  /** Rises with each reading, so that an answer that others have overtaken is not shown. */
  const readings = useRef(0);

  async function load(): Promise<void> {
    readings.current += 1;
    const own = readings.current;
    try {
      const found = await read<Subscription>(projectKey, { path: pathBelow(projectKey, id) });
      const state = await read<Deliveries>(projectKey, { path: pathBelow(projectKey, id, 'deliveries') });
      if (own !== readings.current) return;
      setSubscription(found);
      setDeliveries(state);
      setProblem('');
    } catch (error) {
      const isGone = error instanceof ApiError && error.status === 404;
      if (own === readings.current) setProblem(isGone ? texts.subscriptions.gone : errorText(error));
    }
  }
  useEffect(() => {
    void load();
    const timer = setInterval(() => {
      if (!document.hidden) void load();
    }, refreshMs);
    return () => {
      readings.current += 1;
      clearInterval(timer);
    };
  }, [projectKey, id]);

  async function update(...actions: readonly JsonMap[]): Promise<void> {
    try {
      const changed = await read<Subscription>(projectKey, updateCall(projectKey, subscription!, actions));
      setSubscription(changed);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      notify(texts.subscriptions.changed, true);
    }
    await load();
  }

  async function test(): Promise<void> {
    const path = pathBelow(projectKey, id, 'test');
    const { delivered, status, failure } = await read<Report>(projectKey, { method: 'POST', path });
    const { delivered: yes, notDelivered } = texts.subscriptions;
    notify(delivered ? yes(status ?? 0) : notDelivered(outcomeOf({ status, failure } as Report)), !delivered);
    await load();
  }

  async function remove(): Promise<void> {
    const query = new URLSearchParams({ version: String(subscription!.version) });
    await read(projectKey, { method: 'DELETE', path: pathBelow(projectKey, id), query });
    go({ item: undefined });
  }

  const all = { projectKey, room: 'events', query: new URLSearchParams() } as const;
  const tab = place.value.query.get('tab') === 'letters' ? 'letters' : 'deliveries';
  const isPaused = subscription?.status === 'disabled';
  return (
    <div class="page">
      <p>
        <PlaceLink to={all}>{`← ${texts.subscriptions.back}`}</PlaceLink>
      </p>
      <Problem text={problem} />
      {subscription && (
        <>
          <div class="bar">
            <h1 class="code">{subscription.url}</h1>
            <StateBadge subscription={subscription} deliveries={deliveries} />
          </div>
          <Facts subscription={subscription} deliveries={deliveries} />
          <div class="buttons">
            <Button label={texts.subscriptions.try} onClick={() => test().catch(notifyError)} />
            <Button
              label={isPaused ? texts.subscriptions.resume : texts.subscriptions.pause}
              onClick={() => update({ action: isPaused ? 'enable' : 'disable' }).catch(notifyError)}
            />
            <Button label={texts.subscriptions.edit} onClick={() => setOpen('edit')} />
            <Button label={texts.subscriptions.rotate} onClick={() => setOpen('rotate')} />
            <CopyAs call={() => ({ path: pathBelow(projectKey, id, 'deliveries') })} />
            <Button label={texts.subscriptions.delete} kind="danger" onClick={() => setOpen('delete')} />
          </div>
          <div class="tabs" role="tablist" aria-label={texts.subscriptions.heading}>
            {(['deliveries', 'letters'] as const).map((one) => (
              <button
                key={one}
                type="button"
                role="tab"
                aria-selected={one === tab}
                onClick={() => setQuery({ tab: one === 'deliveries' ? undefined : one })}
              >
                {texts.subscriptions[one]}
              </button>
            ))}
          </div>
          {tab === 'letters' ? (
            <DeadLetters projectKey={projectKey} id={id} />
          ) : (
            deliveries && <DeliveryTable projectKey={projectKey} attempts={deliveries.attempts} />
          )}
        </>
      )}
      {open === 'edit' && subscription && (
        <SubscriptionForm
          projectKey={projectKey}
          subscription={subscription}
          onClose={() => setOpen(undefined)}
          onConflict={() => void load()}
          onSaved={() => {
            setOpen(undefined);
            void load();
          }}
        />
      )}
      {open === 'rotate' && (
        <RotateSecret<{ readonly secret: string }>
          projectKey={projectKey}
          label={texts.subscriptions.rotate}
          words={texts.subscriptions}
          usual="86400"
          request={(overlapSeconds) =>
            updateCall(projectKey, subscription!, [{ action: 'rotateSecret', overlapSeconds }])
          }
          onClose={() => setOpen(undefined)}
          onRotated={(made) => {
            setOpen(undefined);
            setSecret(made.secret);
            void load();
          }}
        />
      )}
      {open === 'delete' && (
        <Confirm
          question={texts.subscriptions.deleteQuestion}
          hint={texts.subscriptions.deleteHint}
          action={texts.subscriptions.delete}
          onClose={() => setOpen(undefined)}
          onConfirm={() => remove().catch(notifyError)}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </div>
  );
}

function Facts({
  subscription,
  deliveries,
}: {
  readonly subscription: Subscription;
  readonly deliveries: Deliveries | undefined;
}) {
  const { key, description, types, where, include, status, disabledReason, secrets } = subscription;
  const { held = 0, missed = 0, nextAttemptAt, attempts = [] } = deliveries ?? {};
  const state = status === 'disabled' ? 'disabled' : deliveries?.state;
  const old = secrets.find(({ expiresAt }) => expiresAt !== undefined);
  const failed = held > 0 ? attempts.find(hasFailed) : undefined;
  const {
    held: waiting,
    nextAttempt,
    lastFailure,
    stateHints,
    disabledGone,
    everything,
    withResource,
  } = texts.subscriptions;
  return (
    <div class="about">
      <p>{disabledReason === 'gone' ? disabledGone : stateHints[state ?? '']}</p>
      {held > 0 && (
        <p>
          {[
            waiting(held),
            ...(nextAttemptAt === undefined ? [] : [nextAttempt(new Date(nextAttemptAt).toLocaleTimeString())]),
            ...(failed ? [lastFailure(outcomeOf(failed))] : []),
          ].join(' · ')}
        </p>
      )}
      {missed > 0 && <p class="problem">{texts.subscriptions.missed(missed)}</p>}
      <p class="hint">
        {[
          ...(key === undefined ? [] : [key]),
          types?.join(', ') ?? texts.events.allTypes,
          where ?? everything,
          ...(include === undefined ? [] : [withResource]),
        ].join(' · ')}
      </p>
      {old?.expiresAt !== undefined && (
        <p class="hint">{texts.subscriptions.secrets(secrets.length, new Date(old.expiresAt).toLocaleString())}</p>
      )}
      {description !== undefined && <p dir="auto">{description}</p>}
    </div>
  );
}
