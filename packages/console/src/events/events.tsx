import type { Event } from 'generic-resource-service-client/api-types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { serviceAddress } from '../api/base-address.ts';
import { curlOf, pathOf } from '../api/client.ts';
import { isLive, liveBeginnings, onEvent } from '../app/live.ts';
import { errorText } from '../app/notices.tsx';
import { place, setQuery } from '../app/router.ts';
import { scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { CopyAs } from '../components/copy-as.tsx';
import { FilterForm } from '../components/inputs/filter-form.tsx';
import { Problem } from '../components/problem.tsx';
import { EventTable } from './event-table.tsx';
import { eventTypes } from './event-types.ts';
import { type FeedFilter, feedQuery, isShown, maxShown, merged, readFeed } from './feed.ts';
import { SubscriptionPage } from './subscription-page.tsx';
import { Subscriptions } from './subscriptions.tsx';

const filterFields = [
  {
    name: 'type',
    label: texts.events.type,
    options: [['', texts.events.allTypes], ...eventTypes.map((type) => [type, type] as const)] as const,
  },
  { name: 'resource', label: texts.events.resource, placeholder: 'Id or key' },
  { name: 'actor', label: texts.events.actor, placeholder: 'Client id' },
] as const;

/** The room of events: live changes of the project, and its subscriptions. */
export function Events({ projectKey }: { readonly projectKey: string }) {
  const { item } = place.value;
  // The part below appears once the feed has its height, so that nothing jumps.
  const [isFeedShown, setFeedShown] = useState(false);
  if (item !== undefined) return <SubscriptionPage key={item} projectKey={projectKey} id={item} />;
  return (
    <div class="page">
      <Feed projectKey={projectKey} onShown={() => setFeedShown(true)} />
      {isFeedShown && scopes.value.has('manage_subscriptions') && <Subscriptions projectKey={projectKey} />}
    </div>
  );
}

interface FeedProps {
  readonly projectKey: string;
  /** Called when the changes are read, or cannot be. */
  readonly onShown: () => void;
}

function Feed({ projectKey, onShown }: FeedProps) {
  const { query } = place.value;
  const filter: FeedFilter = {
    type: query.get('type') ?? '',
    resource: query.get('resource') ?? '',
    actor: query.get('actor') ?? '',
  };
  const asked = JSON.stringify([projectKey, filter]);
  const [events, setEvents] = useState<readonly Event[]>([]);
  const [isLoaded, setLoaded] = useState(false);
  const [problem, setProblem] = useState('');
  const shownFor = useRef('');

  useEffect(() => {
    const abort = new AbortController();
    // Read again for the same question, what has arrived stays: an event may arrive before the page of those before it.
    if (shownFor.current !== asked) {
      setEvents([]);
      setLoaded(false);
    }
    shownFor.current = asked;
    readFeed(projectKey, filter, abort.signal).then(
      (read) => {
        if (abort.signal.aborted) return;
        setEvents((live) => merged(live, read));
        setLoaded(true);
        setProblem('');
        onShown();
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setProblem(errorText(error));
        onShown();
      },
    );
    return () => abort.abort();
  }, [asked, liveBeginnings.value]);

  useEffect(
    () =>
      onEvent((event) => {
        if (isShown(event, filter)) setEvents((before) => merged([event], before));
      }),
    [asked],
  );

  const isFiltered = filter.type !== '' || filter.resource !== '' || filter.actor !== '';
  return (
    <section aria-labelledby="feed-heading">
      <div class="bar">
        <h1 id="feed-heading">{texts.rooms.events}</h1>
        <span class={isLive.value ? 'live on' : 'live'}>{isLive.value ? 'Live' : 'Not connected'}</span>
        <span class="space" />
        <CopyAs call={() => ({ path: pathOf(projectKey, 'events'), query: feedQuery(filter, filter.resource) })} />
      </div>
      <FilterForm fields={filterFields} />
      <Problem text={problem} />
      {events.length > 0 ? (
        <>
          <EventTable projectKey={projectKey} events={events} onActor={(actor) => setQuery({ actor }, false)} />
          <p class="hint">{`The last ${Math.min(events.length, maxShown)} changes, newest first`}</p>
        </>
      ) : (
        isLoaded && problem === '' && <NoEvents projectKey={projectKey} isFiltered={isFiltered} />
      )}
    </section>
  );
}

function NoEvents({ projectKey, isFiltered }: { readonly projectKey: string; readonly isFiltered: boolean }) {
  if (isFiltered)
    return <p class="empty">No change matches these filters. Older changes are in the history of their resources.</p>;
  const json = { key: 'first', name: { en: 'First' } };
  return (
    <div class="empty">
      <p>
        Nothing has changed yet. Each write of a resource appears here as soon as it is stored. Write one to see it:
      </p>
      <pre class="code">{curlOf({ method: 'POST', path: pathOf(projectKey, 'resource'), json }, serviceAddress())}</pre>
    </div>
  );
}
