import type { Event } from 'generic-resource-service-client/api-types';
import { clientName } from '../app/client-names.ts';
import { actorName } from '../app/live.ts';
import { texts } from '../app/texts.ts';
import { Moment } from '../components/moment.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { type Column, ListTable } from '../table/list-table.tsx';
import { subjectPlace } from './event-types.ts';

interface EventTableProps {
  readonly projectKey: string;
  readonly events: readonly Event[];
  readonly onActor: (clientId: string) => void;
}

/** Changes, one a line. */
export function EventTable({ projectKey, events, onActor }: EventTableProps) {
  const words = texts.events;
  const columns: readonly Column<Event>[] = [
    { name: words.at, cell: ({ at }) => <Moment at={at} isBrief /> },
    { name: words.type, cell: ({ type }) => <span class={`badge type-${type}`}>{type}</span> },
    {
      name: words.resource,
      cell: ({ type, resource: { id, key, version } }) => (
        <>
          <PlaceLink to={subjectPlace(projectKey, type, id)}>{key ?? id}</PlaceLink>{' '}
          <span class="hint">{texts.resource.version(String(version))}</span>
        </>
      ),
    },
    {
      name: 'Fields',
      kind: 'long',
      cell: ({ changedFields = {} }) => [...new Set(Object.values(changedFields).flat().map(String))].join(', '),
    },
    { name: words.actor, cell: (event) => <Actor event={event} onActor={onActor} /> },
  ];
  return (
    <ListTable
      class="events tall"
      label="Changes, newest first"
      rows={events}
      keyOf={({ id }) => id}
      columns={columns}
      isStacked
    />
  );
}

/** Who made a change, and a way to see only theirs. */
function Actor({ event, onActor }: Pick<EventTableProps, 'onActor'> & { readonly event: Event }) {
  const { clientId } = event.actor;
  if (clientId === undefined) return <>{actorName(event)}</>;
  return (
    <button
      type="button"
      class="plain link"
      title={`Only changes by ${clientName(clientId)}`}
      onClick={() => onActor(clientId)}
    >
      {actorName(event)}
    </button>
  );
}
