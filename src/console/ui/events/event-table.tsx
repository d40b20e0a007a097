import { actorName, type LiveEvent } from '../app/live.ts';
import { texts } from '../app/texts.ts';
import { PlaceLink } from '../components/place-link.tsx';
import { subjectPlace } from './event-types.ts';

interface EventTableProps {
  readonly projectKey: string;
  readonly events: readonly LiveEvent[];
  readonly onActor: (clientId: string) => void;
}

/** Changes, one a line. */
export function EventTable({ projectKey, events, onActor }: EventTableProps) {
  const { at, type, resource, fields, actor } = texts.events;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard.
    <section class="scroll events" aria-label={texts.events.list} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {[at, type, resource, fields, actor].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <EventRow key={event.id} projectKey={projectKey} event={event} onActor={onActor} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface EventRowProps extends Pick<EventTableProps, 'projectKey' | 'onActor'> {
  readonly event: LiveEvent;
}

function EventRow({ projectKey, event, onActor }: EventRowProps) {
  const { id, key, version } = event.resource;
  const fields = Object.values(event.changedFields ?? {}).flat() as readonly unknown[];
  const { clientId } = event.actor;
  const moment = new Date(event.at);
  return (
    <tr>
      <td>
        <time dateTime={event.at} title={moment.toLocaleString()}>
          {moment.toLocaleTimeString()}
        </time>
      </td>
      <td>
        <span class={`badge type-${event.type}`}>{event.type}</span>
      </td>
      <td dir="auto">
        <PlaceLink to={subjectPlace(projectKey, event.type, id)}>{key ?? id}</PlaceLink>{' '}
        <span class="hint">{texts.resource.version(String(version))}</span>
      </td>
      <td dir="auto" class="wraps">
        {[...new Set(fields.map(String))].join(', ')}
      </td>
      <td dir="auto">
        {clientId === undefined ? (
          actorName(event)
        ) : (
          <button
            type="button"
            class="plain as-text"
            title={texts.events.onlyActor(clientId)}
            onClick={() => onActor(clientId)}
          >
            {actorName(event)}
          </button>
        )}
      </td>
    </tr>
  );
}
