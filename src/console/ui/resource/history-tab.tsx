import { useEffect, useState } from 'preact/hooks';
import { briefly, type Json } from '../api/json.ts';
import { actorName } from '../app/live.ts';
import { notifyError } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import type { Editor } from './editor.ts';
import { historyCall } from './read-calls.ts';

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: Json;
  readonly oldValue?: Json;
}

interface Entry {
  readonly version: number;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly clientId?: string; readonly externalUserId?: string };
  readonly actions?: readonly string[];
  readonly cause?: string;
  readonly diff?: { readonly current?: readonly Operation[]; readonly staged?: readonly Operation[] };
}

interface HistoryProps {
  readonly editor: Editor;
  readonly projectKey: string;
  readonly id: string;
  readonly mayWrite: boolean;
}

const systemPath = /^\/(?:version|lastModifiedAt|lastModifiedBy|hasStagedChanges)(?:\/|$)/;

/** The versions of a resource, the newest first, with what each changed. */
export function HistoryTab({ editor, projectKey, id, mayWrite }: HistoryProps) {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [next, setNext] = useState<string>();
  const [isLoaded, setLoaded] = useState(false);
  const version = editor.base.value?.version;

  async function load(after: string | undefined, before: readonly Entry[]): Promise<void> {
    const { body } = await call(projectKey, historyCall(projectKey, id, after));
    const page = body as unknown as { results: readonly Entry[]; next?: string };
    setEntries([...before, ...page.results]);
    setNext(page.next);
    setLoaded(true);
  }
  useEffect(() => {
    load(undefined, []).catch(notifyError);
  }, [id, version]);

  if (isLoaded && entries.length === 0) return <p class="empty">{texts.history.none}</p>;
  return (
    <>
      <ol class="history">
        {entries.map((entry) => (
          <li key={`${entry.at}-${entry.version}-${entry.type}`}>
            <EntryHead entry={entry} />
            <Changes name={texts.history.current} operations={entry.diff?.current} />
            <Changes name={texts.resources.staged} operations={entry.diff?.staged} />
            {mayWrite && entry.version !== version && entry.type !== 'deleted' && (
              <button
                type="button"
                disabled={editor.isBusy.value || editor.changes.value.length > 0}
                onClick={() => editor.act({ action: 'restore', version: entry.version }).catch(notifyError)}
              >
                {texts.history.restore}
              </button>
            )}
          </li>
        ))}
      </ol>
      {next !== undefined && (
        <button type="button" onClick={() => load(next, entries).catch(notifyError)}>
          {texts.history.more}
        </button>
      )}
    </>
  );
}

function EntryHead({ entry }: { readonly entry: Entry }) {
  return (
    <p>
      <strong>{texts.resource.version(String(entry.version))}</strong> <span class="badge">{entry.type}</span>{' '}
      <span class="hint">
        {texts.history.by(actorName(entry))}, {new Date(entry.at).toLocaleString()}
        {entry.actions && entry.actions.length > 0 ? ` (${entry.actions.join(', ')})` : ''}
      </span>
    </p>
  );
}

function Changes({
  name,
  operations,
}: {
  readonly name: string;
  readonly operations: readonly Operation[] | undefined;
}) {
  const own = (operations ?? []).filter(({ path }) => !systemPath.test(path) && path !== '');
  if (own.length === 0) return null;
  return (
    <table class="differences">
      <caption class="sr">{name}</caption>
      <tbody>
        {own.slice(0, 100).map(({ path, value, oldValue }) => (
          <tr key={path}>
            <th scope="row" dir="auto">
              {path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}
            </th>
            <td class="removed" dir="auto">
              {oldValue === undefined ? <em>{texts.resource.none}</em> : briefly(oldValue, 500)}
            </td>
            <td class="added" dir="auto">
              {value === undefined ? <em>{texts.resource.none}</em> : briefly(value, 500)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
