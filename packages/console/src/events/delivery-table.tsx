import type { DeliveryAttempt } from 'generic-resource-service-client/api-types';
import { texts } from '../app/texts.ts';
import { Moment } from '../components/moment.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { type Column, ListTable } from '../table/list-table.tsx';
import { subjectPlace } from './event-types.ts';
import { hasFailed, outcomeOf } from './subscription.ts';

interface DeliveryTableProps {
  readonly projectKey: string;
  /** Newest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** The last attempts to deliver. */
export function DeliveryTable({ projectKey, attempts }: DeliveryTableProps) {
  const { events, subscriptions } = texts;
  if (attempts.length === 0)
    return <p class="empty">No deliveries yet. The next change is delivered, or send a test now.</p>;
  const columns: readonly Column<DeliveryAttempt>[] = [
    { name: events.at, cell: ({ at }) => <Moment at={at} isBrief /> },
    { name: events.type, cell: ({ type }) => <span class="badge">{type}</span> },
    {
      name: events.resource,
      cell: ({ type, resourceId }) =>
        resourceId !== undefined && <PlaceLink to={subjectPlace(projectKey, type, resourceId)}>{resourceId}</PlaceLink>,
    },
    { name: 'Attempt', kind: 'number', cell: ({ attempt }) => attempt },
    {
      name: 'Result',
      cell: (attempt) => <span class={hasFailed(attempt) ? 'result failed' : 'result'}>{outcomeOf(attempt)}</span>,
    },
    {
      name: 'Took',
      kind: 'number',
      cell: ({ durationMs }) => `${durationMs.toLocaleString('en')} ms`,
    },
  ];
  return (
    <>
      <p class="hint">The last 100 attempts, newest first.</p>
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
