import { setQuery } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { type ApiClient, ago, isUnused } from './clients.ts';
import { scopeMeanings } from './scope-meanings.ts';

interface ClientTableProps {
  readonly clients: readonly ApiClient[];
  readonly onRotate: (client: ApiClient) => void;
  readonly onDelete: (client: ApiClient) => void;
}

/** A time, and how long ago it was. */
function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {ago(at, Date.now())}
    </time>
  );
}

/** What a client may, as names, and in words when they are opened. */
function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  const names = scopes.map((scope) => scope.split(':', 1)[0]!);
  return (
    <details class="scopes">
      <summary>{names.length <= 2 ? names.join(', ') : texts.access.scopeCount(names.length)}</summary>
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
  return (
    <table class="clients">
      <thead>
        <tr>
          <th scope="col">{access.name}</th>
          <th scope="col">{access.scopes}</th>
          <th scope="col" title={access.usedHint}>
            {access.used}
          </th>
          <th scope="col">{access.created}</th>
          <th scope="col">
            <span class="sr">{access.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {clients.map((client) => (
          <tr key={client.id}>
            <th scope="row">
              <span dir="auto">{client.name}</span>
              <code>{client.id}</code>
              {client.previousSecretUntil !== undefined && (
                <span class="hint">{access.previous(new Date(client.previousSecretUntil).toLocaleString())}</span>
              )}
            </th>
            <td>
              <Scopes scopes={client.scopes} />
            </td>
            <td data-label={access.used}>
              {client.lastUsedAt === undefined ? access.never : <Time at={client.lastUsedAt} />}
              {isUnused(client, nowMs) && <span class="badge">{access.unused}</span>}
            </td>
            <td data-label={access.created}>
              <Time at={client.createdAt} />
            </td>
            <td class="row-actions">
              <button
                type="button"
                aria-label={access.calls.ofLabel(client.name)}
                onClick={() => {
                  setQuery({ client: client.id }, false);
                  document.querySelector('.calls')?.scrollIntoView();
                }}
              >
                {access.calls.of}
              </button>
              <button type="button" aria-label={access.rotateLabel(client.name)} onClick={() => onRotate(client)}>
                {access.rotate}
              </button>
              <button
                type="button"
                class="danger"
                aria-label={access.deleteLabel(client.name)}
                onClick={() => onDelete(client)}
              >
                {access.delete}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
