import { texts } from '../app/texts.ts';
import { Moment } from '../components/moment.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { type Column, ListTable } from '../table/list-table.tsx';
import { subjectPlace } from './event-types.ts';
import { type Attempt, hasFailed, outcomeOf } from './subscription.ts';

interface DeliveryTableProps {
  readonly projectKey: string;
  /** Newest first. */
  readonly attempts: readonly Attempt[];
}

/** The last attempts to deliver. */
export function DeliveryTable({ projectKey, attempts }: DeliveryTableProps) {
  const { events, subscriptions } = texts;
  if (attempts.length === 0) return <p class="empty">{subscriptions.noDeliveries}</p>;
  const columns: readonly Column<Attempt>[] = [
    { name: events.at, cell: ({ at }) => <Moment at={at} isBrief /> },
    { name: events.type, cell: ({ type }) => <span class="badge">{type}</span> },
    {
      name: events.resource,
      cell: ({ type, resourceId }) =>
        resourceId !== undefined && <PlaceLink to={subjectPlace(projectKey, type, resourceId)}>{resourceId}</PlaceLink>,
    },
    { name: subscriptions.attempt, kind: 'number', cell: ({ attempt }) => attempt },
    {
      name: subscriptions.result,
      cell: (attempt) => <span class={hasFailed(attempt) ? 'result failed' : 'result'}>{outcomeOf(attempt)}</span>,
    },
    {
      name: subscriptions.duration,
      kind: 'number',
      cell: ({ durationMs }) => subscriptions.milliseconds(durationMs),
    },
  ];
  return (
    <>
      <p class="hint">{subscriptions.deliveriesHint}</p>
      <ListTable
        class="deliveries"
        label={subscriptions.deliveries}
        rows={attempts}
        keyOf={({ messageId, attempt, at }) => `${messageId} ${attempt} ${at}`}
        columns={columns}
        isStacked
      />
    </>
  );
}
