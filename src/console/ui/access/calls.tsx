import { useEffect, useRef, useState } from 'preact/hooks';
import { type Call, pathOf } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { place, setQuery } from '../app/router.ts';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { CopyAs } from '../components/copy-as.tsx';
import { KeptInput } from '../components/kept-input.tsx';
import { Problem } from '../components/problem.tsx';
import { duration } from '../health/format.ts';
import type { ApiClient } from './clients.ts';

/** A call that has ended, as the API tells it. */
interface RecentCall {
  readonly at: string;
  readonly clientId: string;
  readonly externalUserId?: string;
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
}

const limit = '100';

/** Names in the address: what the API calls them would be those of other things there. */
const filters = { client: 'clientId', operation: 'operation', user: 'externalUserId', status: 'status' } as const;

interface CallsProps {
  readonly projectKey: string;
  /** Those that are listed; calls of others are shown by their ids. */
  readonly clients: readonly ApiClient[];
}

/** Who called what on the project lately. */
export function Calls({ projectKey, clients }: CallsProps) {
  const { query } = place.value;
  const [calls, setCalls] = useState<readonly RecentCall[]>();
  const [problem, setProblem] = useState('');
  /** Rises with each reading, so that an answer that others have overtaken is not shown. */
  const readings = useRef(0);
  const { calls: words } = texts.access;
  const asked = new URLSearchParams({ limit });
  for (const [name, parameter] of Object.entries(filters)) {
    const value = query.get(name) ?? '';
    if (value !== '') asked.set(parameter, value);
  }
  const list: Call = { path: pathOf(projectKey, 'api-clients', 'recent-calls'), query: asked };

  async function load(): Promise<void> {
    readings.current += 1;
    const own = readings.current;
    try {
      const { body } = await call(projectKey, list);
      if (own !== readings.current) return;
      setCalls((body as unknown as { results: readonly RecentCall[] }).results);
      setProblem('');
    } catch (error) {
      if (own === readings.current) setProblem(errorText(error));
    }
  }
  useEffect(() => {
    void load();
    return () => {
      readings.current += 1;
    };
  }, [projectKey, asked.toString()]);

  const nameOf = (id: string) => clients.find((client) => client.id === id)?.name ?? id;
  const client = query.get('client') ?? '';
  const text = (name: keyof typeof filters, label: string) => (
    <KeptInput
      label={label}
      value={query.get(name) ?? ''}
      onCommit={(value) => setQuery({ [name]: value || undefined }, false)}
    />
  );

  return (
    <section class="calls">
      <div class="bar">
        <h2>{words.heading}</h2>
        <span class="space" />
        <CopyAs call={() => list} />
        <button type="button" onClick={() => void load()}>
          {words.again}
        </button>
      </div>
      <p class="hint">{words.hint}</p>
      <div class="filter">
        <label>
          <span>{words.client}</span>
          <select
            value={client}
            onChange={({ currentTarget: { value } }) => setQuery({ client: value || undefined }, false)}
          >
            <option value="">{words.all}</option>
            {[...new Set([...clients.map(({ id }) => id), ...(client === '' ? [] : [client])])].map((id) => (
              <option key={id} value={id}>
                {nameOf(id)}
              </option>
            ))}
          </select>
        </label>
        {text('operation', words.operation)}
        {text('user', words.user)}
        <label>
          <span>{words.status}</span>
          <select
            value={query.get('status') ?? ''}
            onChange={({ currentTarget: { value } }) => setQuery({ status: value || undefined }, false)}
          >
            {Object.entries(words.statuses).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Problem text={problem} />
      {calls?.length === 0 && <p>{words.none}</p>}
      {calls !== undefined && calls.length > 0 && (
        <table class="clients">
          <thead>
            <tr>
              <th scope="col">{words.operation}</th>
              <th scope="col">{words.client}</th>
              <th scope="col">{words.user}</th>
              <th scope="col">{words.status}</th>
              <th scope="col">{words.took}</th>
              <th scope="col">{words.at}</th>
            </tr>
          </thead>
          <tbody>
            {calls.map((one, at) => (
              <tr key={`${one.at} ${at}`}>
                <th scope="row">{one.operation}</th>
                <td data-label={words.client} title={one.clientId} dir="auto">
                  {nameOf(one.clientId)}
                </td>
                <td data-label={words.user}>{one.externalUserId ?? '–'}</td>
                <td data-label={words.status}>
                  <span class={one.status >= 400 ? 'badge bad' : 'badge'}>{one.status}</span>
                </td>
                <td data-label={words.took}>{duration(one.durationMs)}</td>
                <td data-label={words.at}>
                  <time dateTime={one.at}>{new Date(one.at).toLocaleString()}</time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
