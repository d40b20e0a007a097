import type { RegisteredApiClient } from 'generic-resource-service-client/api-types';
import { setQuery } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Moment } from '../components/moment.tsx';
import { type Column, ListTable } from '../table/list-table.tsx';
import { ago, isUnused, scopeMeanings } from './clients.ts';

interface ClientTableProps {
  readonly clients: readonly RegisteredApiClient[];
  readonly onRotate: (client: RegisteredApiClient) => void;
  readonly onDelete: (client: RegisteredApiClient) => void;
}

/** The scopes of a client, with their meaning when opened. */
function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  const names = scopes.map((scope) => scope.split(':', 1)[0]!);
  return (
    <details class="scopes">
      <summary>{names.length <= 2 ? names.join(', ') : `${names.length} scopes`}</summary>
      <dl>
        {names.map((name) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{scopeMeanings[name]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The API clients, with when each was last used. */
export function ClientTable({ clients, onRotate, onDelete }: ClientTableProps) {
  const { access } = texts;
  const nowMs = Date.now();
  const since = (at: string) => <Moment at={at} text={ago(at, nowMs)} />;
  const columns: readonly Column<RegisteredApiClient>[] = [
    {
      name: access.name,
      kind: 'head',
      cell: ({ id, name, previousSecretUntil, key, origins = [] }) => (
        <>
          <span dir="auto">{name}</span>
          <code>{id}</code>
          {key !== undefined && (
            <span class="hint">
              {access.key}: <code>{key}</code>
              <br />
              {access.origins}: {origins.join(' ') || 'none'}
            </span>
          )}
          {previousSecretUntil !== undefined && (
            <span class="hint">{`The previous secret is valid until ${new Date(previousSecretUntil).toLocaleString()}`}</span>
          )}
        </>
      ),
    },
    { name: access.scopes, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    {
      name: 'Last used',
      cell: (client) => (
        <span title="When the client last got a token or used one; to the minute, and a few minutes late.">
          {client.lastUsedAt === undefined ? 'Never' : since(client.lastUsedAt)}{' '}
          {isUnused(client, nowMs) && <span class="badge">Not used for 90 days</span>}
        </span>
      ),
    },
    { name: 'Created', cell: ({ createdAt }) => since(createdAt) },
    {
      name: texts.rowActions,
      kind: 'actions',
      cell: (client) => (
        <>
          <Button
            label="Calls"
            spoken={`Calls of ${client.name}`}
            onClick={() => {
              setQuery({ client: client.id }, false);
              document.querySelector('.calls')?.scrollIntoView();
            }}
          />
          {client.key === undefined && (
            <Button
              label={access.rotation.rotate}
              spoken={access.rotateLabel(client.name)}
              onClick={() => onRotate(client)}
            />
          )}
          <Button
            label={access.delete}
            kind="danger"
            spoken={access.deleteLabel(client.name)}
            onClick={() => onDelete(client)}
          />
        </>
      ),
    },
  ];
  return (
    <ListTable
      class="clients"
      label={access.heading}
      rows={clients}
      keyOf={({ id }) => id}
      columns={columns}
      isStacked
    />
  );
}
