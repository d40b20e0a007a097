import { useEffect, useState } from 'preact/hooks';
import { ApiError, pathOf } from '../api/client.ts';
import { type JsonMap, writeJson } from '../api/json.ts';
import { actorName, type LiveEvent } from '../app/live.ts';
import { errorText, notify, notifyError } from '../app/notices.tsx';
import { go } from '../app/router.ts';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { focus } from '../browser/focus.ts';
import { Dialog } from '../components/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { Scroll } from '../components/scroll.tsx';
import { ownFields } from '../resource/write.ts';

interface Deleted {
  readonly id: string;
  readonly key?: string;
  readonly version: number;
  readonly deletedAt: string;
  readonly deletedBy: LiveEvent['actor'];
}

interface DeletedProps {
  readonly projectKey: string;
  readonly mayWrite: boolean;
}

/** Resources that were deleted and can be brought back, the last deleted one first. */
export function DeletedResources({ projectKey, mayWrite }: DeletedProps) {
  const [rows, setRows] = useState<readonly Deleted[]>();
  const [next, setNext] = useState<string>();
  const [shown, setShown] = useState<Deleted>();

  async function load(cursor: string | undefined, before: readonly Deleted[]): Promise<void> {
    const query = new URLSearchParams({ limit: '50', ...(cursor !== undefined && { cursor }) });
    const { body } = await call(projectKey, { path: pathOf(projectKey, 'resource', 'deleted'), query });
    const page = body as unknown as { results: readonly Deleted[]; next?: string };
    setRows([...before, ...page.results]);
    setNext(page.next);
  }
  useEffect(() => {
    load(undefined, []).catch(notifyError);
  }, [projectKey]);

  const back = () => go({ room: 'resources' });
  return (
    <div class="page">
      <div class="line">
        <h1>{texts.deleted.heading}</h1>
        <span class="space" />
        <button type="button" onClick={back}>
          {texts.deleted.back}
        </button>
      </div>
      <p class="hint">{texts.deleted.hint}</p>
      {rows === undefined ? (
        <p role="status">{texts.loading}</p>
      ) : rows.length === 0 ? (
        <p class="empty">{texts.deleted.none}</p>
      ) : (
        <Scroll label={texts.deleted.heading}>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.resource.key}</th>
                <th scope="col">{texts.deleted.version}</th>
                <th scope="col">{texts.deleted.at}</th>
                <th scope="col">{texts.deleted.by}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row" dir="auto">
                    <button type="button" class="plain link" onClick={() => setShown(row)}>
                      {row.key ?? row.id}
                    </button>
                  </th>
                  <td>{row.version}</td>
                  <td>{new Date(row.deletedAt).toLocaleString()}</td>
                  <td>{actorName({ actor: row.deletedBy })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {next !== undefined && (
        <button type="button" onClick={() => load(next, rows ?? []).catch(notifyError)}>
          {texts.deleted.more}
        </button>
      )}
      {shown && (
        <Restore projectKey={projectKey} deleted={shown} mayWrite={mayWrite} onClose={() => setShown(undefined)} />
      )}
    </div>
  );
}

interface RestoreProps extends DeletedProps {
  readonly deleted: Deleted;
  readonly onClose: () => void;
}

/** Shows what a deleted resource held, and brings it back; under another key where its own is taken by now. */
function Restore({ projectKey, deleted, mayWrite, onClose }: RestoreProps) {
  const { id, version } = deleted;
  const name = deleted.key ?? id;
  const [content, setContent] = useState<string>();
  const [problem, setProblem] = useState('');
  const [isTaken, setTaken] = useState(false);
  const [key, setKey] = useState(deleted.key ?? '');
  const [isBusy, setBusy] = useState(false);
  const path = pathOf(projectKey, 'resource', id);
  useEffect(() => {
    const query = new URLSearchParams({ version: String(version) });
    call(projectKey, { path, query })
      .then(({ body }) => setContent(writeJson(ownFields(body as JsonMap), 2)))
      .catch((error: unknown) => setProblem(errorText(error)));
  }, [id]);

  async function restore(): Promise<void> {
    setBusy(true);
    setProblem('');
    const json = isTaken ? { key: key.trim() === '' ? null : key.trim() } : {};
    try {
      await call(projectKey, { method: 'POST', path: `${path}/restore`, json });
      notify(texts.deleted.restored(name));
      go({ room: 'resources', item: id });
    } catch (error) {
      setTaken(isTaken || (error instanceof ApiError && error.code === 'DuplicateField'));
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog label={name} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void restore();
        }}
      >
        <h1 dir="auto">{name}</h1>
        {content !== undefined && (
          <Scroll class="document-text" label={texts.deleted.content}>
            <pre class="code" dir="auto">
              {content.length > 20_000 ? `${content.slice(0, 20_000)}…` : content}
            </pre>
          </Scroll>
        )}
        <Problem text={problem} />
        {isTaken && (
          <label>
            {texts.deleted.otherKey}
            <input value={key} maxLength={256} ref={focus} onInput={(event) => setKey(event.currentTarget.value)} />
          </label>
        )}
        <div class="actions">
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
          {mayWrite && (
            <button type="submit" class="main" disabled={isBusy}>
              {texts.deleted.restore}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
