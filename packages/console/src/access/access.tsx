import { useEffect, useState } from 'preact/hooks';
import { type Call, pathOf } from '../api/client.ts';
import { errorText, notify, notifyError } from '../app/notices.tsx';
import { place, setQuery } from '../app/router.ts';
import { call, scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Dialog } from '../components/dialog.tsx';
import { RotateSecret } from '../components/rotate-secret.tsx';
import { Calls } from './calls.tsx';
import { ClientTable } from './client-table.tsx';
import { type ApiClient, type ClientSecret, clientPath } from './clients.ts';
import { CreateClient } from './create-client.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const pageSize = '100';

interface Page {
  readonly results: readonly ApiClient[];
  readonly next?: string;
}

/** The API clients of the project. */
export function Access({ projectKey }: { readonly projectKey: string }) {
  const [page, setPage] = useState<Page>();
  const [problem, setProblem] = useState('');
  const [shown, setShown] = useState<ClientSecret>();
  const [rotating, setRotating] = useState<ApiClient>();
  const [leaving, setLeaving] = useState<ApiClient>();
  const { access } = texts;
  const path = pathOf(projectKey, 'api-clients');
  const list: Call = { path, query: new URLSearchParams({ limit: pageSize }) };
  const mayManage = scopes.value.has('manage_api_clients');
  const isCreating = place.value.query.get('new') === 'true';
  const setCreating = (is: boolean) => setQuery({ new: is ? 'true' : undefined });

  const load = async (next?: string) => {
    try {
      const query = new URLSearchParams({ limit: pageSize, ...(next !== undefined && { cursor: next }) });
      const read = (await call(projectKey, { path, query })).body as unknown as Page;
      setPage((before) =>
        next === undefined ? read : { ...read, results: [...(before?.results ?? []), ...read.results] },
      );
      setProblem('');
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  useEffect(() => {
    void load();
  }, [projectKey]);

  async function remove(client: ApiClient): Promise<void> {
    setLeaving(undefined);
    await call(projectKey, { method: 'DELETE', path: clientPath(projectKey, client) });
    notify(access.deleted(client.name));
    await load();
  }
  const show = (secret: ClientSecret) => {
    setCreating(false);
    setRotating(undefined);
    setShown(secret);
    void load();
  };

  return (
    <div class="page">
      <div class="bar">
        <h1>{access.heading}</h1>
        <span class="space" />
        {page && <CopyAs call={() => list} />}
        {mayManage && <Button label={access.create} kind="main" onClick={() => setCreating(true)} />}
      </div>
      <p class="hint">{access.hint}</p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {mayManage ? problem : access.noRight}
        </p>
      )}
      {page?.results.length === 0 && (
        <div class="empty">
          <p>
            <strong>{access.none}</strong>
          </p>
          <p>{access.noneHint}</p>
        </div>
      )}
      {page && page.results.length > 0 && (
        <ClientTable clients={page.results} onRotate={setRotating} onDelete={setLeaving} />
      )}
      {page?.next !== undefined && <Button label={access.more} onClick={() => load(page.next)} />}
      {page && <Calls projectKey={projectKey} clients={page.results} />}
      {isCreating && <CreateClient projectKey={projectKey} onClose={() => setCreating(false)} onCreated={show} />}
      {rotating && (
        <RotateSecret<ClientSecret>
          projectKey={projectKey}
          label={access.rotateLabel(rotating.name)}
          heading={access.rotateQuestion(rotating.name)}
          words={access}
          usual="3600"
          request={(overlapSeconds) => ({
            ...{ method: 'POST', path: clientPath(projectKey, rotating, 'rotate'), json: { overlapSeconds } },
          })}
          onClose={() => setRotating(undefined)}
          onRotated={show}
        />
      )}
      {shown && <SecretDialog client={shown} onClose={() => setShown(undefined)} />}
      {leaving && (
        <Dialog label={access.deleteLabel(leaving.name)} onClose={() => setLeaving(undefined)}>
          <h1 dir="auto">{access.deleteQuestion(leaving.name)}</h1>
          <p>{access.deleteHint}</p>
          <div class="actions">
            <Button label={texts.cancel} onClick={() => setLeaving(undefined)} />
            <Button label={access.delete} kind="danger" onClick={() => remove(leaving).catch(notifyError)} />
          </div>
        </Dialog>
      )}
    </div>
  );
}
