import { useState } from 'preact/hooks';
import { type Call, pathOf } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import type { ClientSecret } from './clients.ts';
import { scopeMeanings } from './scope-meanings.ts';

interface CreateClientProps {
  readonly projectKey: string;
  readonly onCreated: (client: ClientSecret) => void;
  readonly onClose: () => void;
}

/** Creates an API client with scopes that are explained. */
export function CreateClient({ projectKey, onCreated, onClose }: CreateClientProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['view_test']));
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  const creation = (): Call => ({
    ...{ method: 'POST', path: pathOf(projectKey, 'api-clients') },
    json: { name: name.trim(), scopes: [...chosen] },
  });
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    try {
      onCreated((await call(projectKey, creation())).body as unknown as ClientSecret);
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
          <input
            name="name"
            required
            maxLength={256}
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
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
        <Problem text={problem} />
        <div class="actions">
          <CopyAs call={creation} />
          <span class="space" />
          <Button label={texts.cancel} onClick={onClose} />
          <Button isSubmit label={texts.access.create} kind="main" isDisabled={chosen.size === 0} />
        </div>
      </form>
    </Dialog>
  );
}
