import { useEffect, useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import { actorName, isLive, type LiveEvent, onEvent } from '../app/live.ts';
import { errorText } from '../app/notices.tsx';
import { addressOf, go, place, setQuery } from '../app/router.ts';
import { call, scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { eventTypes } from './event-types.ts';
import { Subscriptions } from './subscriptions.tsx';

/** Lines that are kept; older ones are in the history of their resources. */
const maxShown = 200;

/** Both lists as one: each event once, newest first. */
function merged(first: readonly LiveEvent[], second: readonly LiveEvent[]): readonly LiveEvent[] {
  const byId = new Map([...first, ...second].map((event) => [event.id, event]));
  const newestFirst = (a: LiveEvent, b: LiveEvent) => Number(b.sequence ?? 0) - Number(a.sequence ?? 0);
  return [...byId.values()].sort(newestFirst).slice(0, maxShown);
}

/** The room of events: the changes of the project as they happen, and who is told of them. */
export function Events({ projectKey }: { readonly projectKey: string }) {
  const { query } = place.value;
  const type = query.get('type') ?? '';
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    const abort = new AbortController();
    const path = pathOf(projectKey, 'events');
    const asked = new URLSearchParams({ limit: '100', tail: '100' });
    if (type !== '') asked.set('types', type);
    setEvents([]);
    call(projectKey, { path, query: asked, signal: abort.signal }).then(
      ({ body }) => {
        // Some may have arrived live before this answer, in it or not.
        const { results } = body as unknown as { results: readonly LiveEvent[] };
        setEvents((live) => merged(live, results));
        setProblem('');
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(errorText(error));
      },
    );
    return () => abort.abort();
  }, [projectKey, type]);

  useEffect(
    () =>
      onEvent((event) => {
        if (type === '' || event.type === type) setEvents((before) => merged([event], before));
      }),
    [type],
  );

  return (
    <div class="page">
      <div class="bar">
        <h1>{texts.rooms.events}</h1>
        <span class={isLive.value ? 'live on' : 'live'}>{isLive.value ? texts.events.live : texts.events.notLive}</span>
        <span class="space" />
        <label class="line">
          {texts.events.type}
          <select value={type} onChange={(event) => setQuery({ type: event.currentTarget.value })}>
            <option value="">{texts.events.all}</option>
            {eventTypes.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {events.length === 0 && problem === '' && <p class="empty">{texts.events.none}</p>}
      {events.length > 0 && <EventTable projectKey={projectKey} events={events} />}
      {scopes.value.has('manage_subscriptions') && <Subscriptions projectKey={projectKey} />}
    </div>
  );
}

function EventTable({ projectKey, events }: { readonly projectKey: string; readonly events: readonly LiveEvent[] }) {
  return (
    <div class="scroll events">
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.events.at}</th>
            <th scope="col">{texts.events.type}</th>
            <th scope="col">{texts.events.resource}</th>
            <th scope="col">{texts.events.fields}</th>
            <th scope="col">{texts.events.actor}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => {
            const { id, key, version } = event.resource;
            const query = new URLSearchParams({ tab: 'history' });
            const to = { projectKey, room: 'resources', item: id, query } as const;
            const fields = Object.values(event.changedFields ?? {}).flat() as readonly unknown[];
            return (
              <tr key={event.id}>
                <td>{new Date(event.at).toLocaleTimeString()}</td>
                <td>
                  <span class="badge">{event.type}</span>
                </td>
                <td dir="auto">
                  <a
                    href={addressOf(to)}
                    onClick={(click) => {
                      if (click.metaKey || click.ctrlKey || click.shiftKey) return;
                      click.preventDefault();
                      go(to);
                    }}
                  >
                    {key ?? id}
                  </a>{' '}
                  <span class="hint">{texts.resource.version(String(version))}</span>
                </td>
                <td dir="auto">{[...new Set(fields.map(String))].join(', ')}</td>
                <td dir="auto">{actorName(event)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
