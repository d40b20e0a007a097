import type { CreatedApiClient } from 'generic-resource-service-client/api-types';
import { useState } from 'preact/hooks';
import { type Call, pathOf } from '../api/client.ts';
import { read } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { Check, TextInput } from '../components/inputs/fields.tsx';
import { scopeMeanings } from './clients.ts';

interface CreateClientProps {
  readonly projectKey: string;
  readonly onCreated: (client: CreatedApiClient) => void;
  readonly onClose: () => void;
}

/** Creates an API client with scopes that are explained. */
export function CreateClient({ projectKey, onCreated, onClose }: CreateClientProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['view_test']));
  const [name, setName] = useState('');
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  const creation = (): Call => ({
    ...{ method: 'POST', path: pathOf(projectKey, 'api-clients') },
    json: { name: name.trim(), scopes: [...chosen] },
  });
  return (
    <FormDialog
      label={texts.access.create}
      submit={texts.access.create}
      isBlocked={chosen.size === 0}
      call={creation}
      onSubmit={async () => onCreated(await read<CreatedApiClient>(projectKey, creation()))}
      onClose={onClose}
    >
      <TextInput
        label={texts.access.name}
        name="name"
        required
        maxLength={256}
        autocomplete="off"
        value={name}
        onInput={setName}
      />
      <fieldset>
        <legend>{texts.access.scopes}</legend>
        {Object.entries(scopeMeanings).map(([name, meaning]) => (
          <Check
            key={name}
            isChecked={chosen.has(name)}
            onChange={() => toggle(name)}
            label={
              <span>
                <code>{name}</code>
                <br />
                {meaning}
              </span>
            }
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}
