import type { RecentCall, RegisteredApiClient } from 'generic-resource-service-client/api-types';
import { type Call, pathOf } from '../api/client.ts';
import { clientName } from '../app/client-names.ts';
import { place } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { FilterForm } from '../components/inputs/filter-form.tsx';
import { Moment } from '../components/moment.tsx';
import { Problem } from '../components/problem.tsx';
import { duration } from '../health/format.ts';
import { usePages } from '../model/use-pages.ts';
import { type Column, ListTable } from '../table/list-table.tsx';

const limit = '100';

/** Names in the address: what the API calls them would be those of other things there. */
const filters = { client: 'clientId', operation: 'operation', user: 'externalUserId', status: 'status' } as const;

interface CallsProps {
  readonly projectKey: string;
  /** The listed clients; calls of other clients are shown with their ids. */
  readonly clients: readonly RegisteredApiClient[];
}

/** Who called what on the project lately. */
export function Calls({ projectKey, clients }: CallsProps) {
  const { query } = place.value;
  const { calls: words } = texts.access;
  const asked = new URLSearchParams({ limit });
  for (const [name, parameter] of Object.entries(filters)) {
    const value = query.get(name) ?? '';
    if (value !== '') asked.set(parameter, value);
  }
  const list: Call = { path: pathOf(projectKey, 'api-clients', 'recent-calls'), query: asked };

  const { rows: calls, problem, reload } = usePages<RecentCall>(projectKey, () => list, asked.toString());

  const nameOf = (id: string) => clients.find((client) => client.id === id)?.name ?? clientName(id);
  const client = query.get('client') ?? '';
  /** The one that is asked for may be of those that are not listed. */
  const offered = new Set([...clients.map(({ id }) => id), ...(client === '' ? [] : [client])]);
  const columns: readonly Column<RecentCall>[] = [
    { name: words.operation, kind: 'head', cell: ({ operation }) => operation },
    { name: words.client, cell: ({ clientId }) => <span title={clientId}>{nameOf(clientId)}</span> },
    { name: words.user, cell: ({ externalUserId }) => externalUserId ?? '–' },
    {
      name: words.status,
      cell: ({ status }) => <span class={status >= 400 ? 'badge bad' : 'badge'}>{status}</span>,
    },
    { name: 'Took', cell: ({ durationMs }) => duration(durationMs) },
    { name: 'Time', cell: ({ at }) => <Moment at={at} /> },
  ];

  return (
    <section class="calls">
      <div class="bar">
        <h2>{words.heading}</h2>
        <span class="space" />
        <CopyAs call={() => list} />
        <Button label="Read again" onClick={reload} />
      </div>
      <p class="hint">
        The last 100 calls of each client, kept in memory since the service started: no paths, no parameters, nothing
        that was sent.
      </p>
      <FilterForm
        fields={[
          {
            name: 'client',
            label: words.client,
            options: [['', 'All clients'], ...[...offered].map((id) => [id, nameOf(id)] as const)],
          },
          { name: 'operation', label: words.operation },
          { name: 'user', label: words.user },
          { name: 'status', label: words.status, options: Object.entries(words.statuses) },
        ]}
      />
      <Problem text={problem} />
      {calls?.length === 0 && <p>No call matches.</p>}
      {calls !== undefined && calls.length > 0 && (
        <ListTable
          label={words.heading}
          rows={calls}
          keyOf={({ at }, index) => `${at} ${index}`}
          columns={columns}
          isStacked
        />
      )}
    </section>
  );
}
