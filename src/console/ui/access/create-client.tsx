import { useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Dialog } from '../components/dialog.tsx';
import { scopeMeanings } from './scope-meanings.ts';

/** A client as it is shown once, with its secret. */
export interface CreatedClient {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

interface CreateClientProps {
  readonly projectKey: string;
  readonly onCreated: (client: CreatedClient) => void;
  readonly onClose: () => void;
}

/** Creates an API client with scopes that are explained. */
export function CreateClient({ projectKey, onCreated, onClose }: CreateClientProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['view_test']));
  const [problem, setProblem] = useState('');
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    try {
      const path = pathOf(projectKey, 'api-clients');
      const { body } = await call(projectKey, { method: 'POST', path, json: { name, scopes: [...chosen] } });
      onCreated(body as unknown as CreatedClient);
    } catch (error) {
      setProblem(errorText(error));
    }
  }
  return (
    <Dialog label={texts.access.create} onClose={onClose}>
      <form onSubmit={submit}>
        <h1>{texts.access.create}</h1>
        <label>
          {texts.access.name}
          <input name="name" required maxLength={256} />
        </label>
        <fieldset>
          <legend>{texts.access.scopes}</legend>
          {Object.entries(scopeMeanings).map(([name, meaning]) => (
            <label key={name} class="check">
              <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
              <span>
                <code>{name}</code>
                <br />
                {meaning}
              </span>
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
          <button type="submit" class="main" disabled={chosen.size === 0}>
            {texts.access.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
