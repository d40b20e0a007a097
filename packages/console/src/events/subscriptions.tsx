import type { Subscription, SubscriptionDeliveries } from 'generic-resource-service-client/api-types';
import { useEffect, useState } from 'preact/hooks';
import { place, setQuery } from '../app/router.ts';
import { read } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Problem } from '../components/problem.tsx';
import { usePages } from '../model/use-pages.ts';
import { SigningSecret, StateBadge, type StateProps } from './state.tsx';
import { listPath, pathBelow } from './subscription.ts';
import { SubscriptionForm } from './subscription-form.tsx';

/** The subscriptions of a project and the state of their deliveries. */
export function Subscriptions({ projectKey }: { readonly projectKey: string }) {
  const isCreating = place.value.query.get('new') === 'true';
  const setCreating = (next: boolean) => setQuery({ new: next ? 'true' : undefined });
  const [secret, setSecret] = useState<string>();
  const list = { path: listPath(projectKey), query: new URLSearchParams({ limit: '100' }) };

  const { rows: subscriptions, problem, reload } = usePages<Subscription>(projectKey, () => list);
  const [states, setStates] = useState<ReadonlyMap<string, SubscriptionDeliveries>>(new Map());
  useEffect(() => {
    void (async () => {
      for (const { id } of subscriptions ?? []) {
        // One that is deleted meanwhile has no state; the others are shown.
        const state = await read<SubscriptionDeliveries>(projectKey, {
          path: pathBelow(projectKey, id, 'deliveries'),
        }).catch(() => undefined);
        if (state) setStates((before) => new Map(before).set(id, state));
      }
    })();
  }, [subscriptions]);

  return (
    <section class="subscriptions" aria-labelledby="subscriptions-heading">
      <div class="bar">
        <h2 id="subscriptions-heading">{texts.subscriptions.heading}</h2>
        <span class="space" />
        <CopyAs call={() => list} />
        <Button label={texts.subscriptions.create} onClick={() => setCreating(true)} />
      </div>
      <Problem text={problem} />
      {subscriptions?.length === 0 && (
        <p class="hint">
          There are no subscriptions yet. A subscription sends each change to an address of yours (a webhook), for
          example to fill a search index or to clear a cache. While you write the receiver, “npx grs events listen”
          delivers to your own machine.
        </p>
      )}
      {subscriptions !== undefined && subscriptions.length > 0 && (
        <>
          <p class="hint">
            Each change is sent to these addresses, signed and in order, and again until it is accepted.
          </p>
          <ul class="cards stack">
            {subscriptions.map((subscription) => (
              <SubscriptionCard
                key={subscription.id}
                projectKey={projectKey}
                subscription={subscription}
                deliveries={states.get(subscription.id)}
              />
            ))}
          </ul>
        </>
      )}
      {isCreating && (
        <SubscriptionForm
          projectKey={projectKey}
          onClose={() => setCreating(false)}
          onSaved={(made) => {
            setCreating(false);
            setSecret(made);
            void reload();
          }}
        />
      )}
      {secret !== undefined && <SigningSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </section>
  );
}

function SubscriptionCard({ projectKey, subscription, deliveries }: StateProps & { readonly projectKey: string }) {
  const { id, url, key, types, where } = subscription;
  return (
    <li>
      <div class="bar">
        <PlaceLink to={{ projectKey, room: 'events', item: id, query: new URLSearchParams() }} class="code wraps">
          {url}
        </PlaceLink>
        {key !== undefined && <span class="badge">{key}</span>}
        <span class="space" />
        <StateBadge subscription={subscription} deliveries={deliveries} />
      </div>
      <p class="hint">
        {types?.join(', ') ?? texts.events.allTypes}
        {where !== undefined && (
          <>
            {' · '}
            <code>{where}</code>
          </>
        )}
        {deliveries !== undefined && deliveries.held > 0 && ` · ${texts.subscriptions.held(deliveries.held)}`}
      </p>
    </li>
  );
}
