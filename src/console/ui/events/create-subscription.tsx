import { useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Dialog } from '../components/dialog.tsx';
import { eventTypes } from './event-types.ts';

interface CreateSubscriptionProps {
  readonly projectKey: string;
  /** Called with the secret, which the API shows once. */
  readonly onCreated: (secret: string) => void;
  readonly onClose: () => void;
}

/** Asks for the address and the types of events. */
export function CreateSubscription({ projectKey, onCreated, onClose }: CreateSubscriptionProps) {
  const [types, setTypes] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState('');
  const toggle = (type: string) => {
    const next = new Set(types);
    if (!next.delete(type)) next.add(type);
    setTypes(next);
  };
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget as HTMLFormElement).get('url')).trim();
    const path = pathOf(projectKey, 'subscriptions');
    try {
      const json = { url, ...(types.size > 0 && { types: [...types] }) };
      const { body } = await call(projectKey, { method: 'POST', path, json });
      onCreated((body as unknown as { secret: string }).secret);
    } catch (error) {
      setProblem(errorText(error));
    }
  }
  return (
    <Dialog label={texts.events.subscribe} onClose={onClose}>
      <form onSubmit={submit}>
        <h1>{texts.events.subscribe}</h1>
        <label>
          {texts.events.url}
          <input name="url" type="url" required placeholder="https://example.com/hook" />
        </label>
        <fieldset>
          <legend>{texts.events.types}</legend>
          {eventTypes.map((type) => (
            <label key={type} class="check">
              <input type="checkbox" checked={types.has(type)} onChange={() => toggle(type)} />
              {type}
            </label>
          ))}
        </fieldset>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" class="main">
            {texts.events.subscribe}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
