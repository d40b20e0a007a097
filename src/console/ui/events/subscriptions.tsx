import { useEffect, useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import { errorText, notify, notifyError } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CreateSubscription } from './create-subscription.tsx';

interface Subscription {
  readonly id: string;
  readonly version: number;
  readonly key?: string;
  readonly url: string;
  readonly types?: readonly string[];
  readonly status: string;
}

interface Deliveries {
  readonly state: string;
  readonly held: number;
}

/** Who is told of changes: subscriptions, how they fare, and a delivery to try. */
export function Subscriptions({ projectKey }: { readonly projectKey: string }) {
  const [subscriptions, setSubscriptions] = useState<readonly Subscription[]>([]);
  const [states, setStates] = useState<ReadonlyMap<string, Deliveries>>(new Map());
  const [problem, setProblem] = useState('');
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const path = pathOf(projectKey, 'subscriptions');

  async function load(): Promise<void> {
    try {
      const { body } = await call(projectKey, { path, query: new URLSearchParams({ limit: '100' }) });
      const { results } = body as unknown as { results: readonly Subscription[] };
      setSubscriptions(results);
      setProblem('');
      for (const { id } of results) {
        const { body: state } = await call(projectKey, { path: `${path}/${encodeURIComponent(id)}/deliveries` });
        setStates((before) => new Map(before).set(id, state as unknown as Deliveries));
      }
    } catch (error) {
      setProblem(errorText(error));
    }
  }
  useEffect(() => {
    void load();
  }, [projectKey]);

  async function tryOut({ id }: Subscription): Promise<void> {
    const { body } = await call(projectKey, { method: 'POST', path: `${path}/${encodeURIComponent(id)}/test` });
    const { delivered, status, failure } = body as unknown as { delivered: boolean; status?: number; failure?: string };
    notify(delivered ? texts.events.delivered(status ?? 0) : texts.events.notDelivered(failure ?? ''), !delivered);
    await load();
  }

  async function remove({ id, version }: Subscription): Promise<void> {
    const query = new URLSearchParams({ version: String(version) });
    await call(projectKey, { method: 'DELETE', path: `${path}/${encodeURIComponent(id)}`, query });
    await load();
  }

  return (
    <section>
      <div class="bar">
        <h2>{texts.events.subscriptions}</h2>
        <span class="space" />
        <button type="button" onClick={() => setCreating(true)}>
          {texts.events.subscribe}
        </button>
      </div>
      <p class="hint">{texts.events.subscriptionsHint}</p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {subscriptions.length > 0 && (
        <div class="scroll">
          <table>
            <tbody>
              {subscriptions.map((subscription) => (
                <tr key={subscription.id}>
                  <td>
                    <code>{subscription.url}</code>
                    <br />
                    <span class="hint">{subscription.types?.join(', ') ?? texts.events.all}</span>
                  </td>
                  <td>
                    <span class="badge">{states.get(subscription.id)?.state ?? subscription.status}</span>
                  </td>
                  <td class="number">
                    <button type="button" onClick={() => tryOut(subscription).catch(notifyError)}>
                      {texts.events.try}
                    </button>{' '}
                    <button type="button" class="danger" onClick={() => remove(subscription).catch(notifyError)}>
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
        <CreateSubscription
          projectKey={projectKey}
          onClose={() => setCreating(false)}
          onCreated={(made) => {
            setCreating(false);
            setSecret(made);
            void load();
          }}
        />
      )}
      {secret !== undefined && (
        <Dialog label={texts.events.secret} onClose={() => setSecret(undefined)}>
          <h1>{texts.events.secret}</h1>
          <p>{texts.access.secret}</p>
          <pre class="code">{secret}</pre>
          <div class="actions">
            <CopyButton text={() => secret} />
            <button type="button" class="main" onClick={() => setSecret(undefined)}>
              {texts.close}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
