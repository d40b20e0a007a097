import { useEffect, useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import { errorText, notifyError } from '../app/notices.tsx';
import { call, scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CreateClient, type CreatedClient } from './create-client.tsx';

interface ApiClient {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
}

/** The API clients of the project. */
export function Access({ projectKey }: { readonly projectKey: string }) {
  const [clients, setClients] = useState<readonly ApiClient[]>();
  const [problem, setProblem] = useState('');
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedClient>();
  const [leaving, setLeaving] = useState<ApiClient>();
  const path = pathOf(projectKey, 'api-clients');

  const load = async () => {
    try {
      const { body } = await call(projectKey, { path, query: new URLSearchParams({ limit: '500' }) });
      setClients((body as unknown as { results: readonly ApiClient[] }).results);
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
    await call(projectKey, { method: 'DELETE', path: pathOf(projectKey, 'api-clients', client.id) });
    await load();
  }

  return (
    <div class="page">
      <div class="bar">
        <h1>{texts.access.heading}</h1>
        <span class="space" />
        {scopes.value.has('manage_api_clients') && (
          <button type="button" class="main" onClick={() => setCreating(true)}>
            {texts.access.create}
          </button>
        )}
      </div>
      <p class="hint">{texts.access.hint}</p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {clients?.length === 0 && <p class="empty">{texts.access.none}</p>}
      {clients && clients.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.access.name}</th>
                <th scope="col">{texts.login.clientId}</th>
                <th scope="col">{texts.access.scopes}</th>
                <th scope="col">{texts.access.created}</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {clients.map((client) => (
                <tr key={client.id}>
                  <td dir="auto">{client.name}</td>
                  <td>
                    <code>{client.id}</code>
                  </td>
                  <td>{client.scopes.map((scope) => scope.split(':')[0]).join(', ')}</td>
                  <td>{new Date(client.createdAt).toLocaleString()}</td>
                  <td>
                    <button type="button" class="danger" onClick={() => setLeaving(client)}>
                      {texts.access.delete}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isCreating && (
        <CreateClient
          projectKey={projectKey}
          onClose={() => setCreating(false)}
          onCreated={(client) => {
            setCreating(false);
            setCreated(client);
            void load();
          }}
        />
      )}
      {created && (
        <Dialog label={created.name} onClose={() => setCreated(undefined)}>
          <h1 dir="auto">{created.name}</h1>
          <p>{texts.access.secret}</p>
          <pre class="code">{`${created.id}\n${created.secret}`}</pre>
          <div class="actions">
            <CopyButton text={() => `${created.id}:${created.secret}`} />
            <button type="button" class="main" onClick={() => setCreated(undefined)}>
              {texts.close}
            </button>
          </div>
        </Dialog>
      )}
      {leaving && (
        <Dialog label={texts.access.delete} onClose={() => setLeaving(undefined)}>
          <h1>{texts.access.deleteQuestion(leaving.name)}</h1>
          <div class="actions">
            <button type="button" onClick={() => setLeaving(undefined)}>
              {texts.cancel}
            </button>
            <button type="button" class="danger" onClick={() => remove(leaving).catch(notifyError)}>
              {texts.access.delete}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
