import type { CreatedApiClient, RegisteredApiClient } from 'generic-resource-service-client/api-types';
import { useState } from 'preact/hooks';
import { serviceAddress } from '../api/base-address.ts';
import { type Call, pathOf } from '../api/client.ts';
import { notify, notifyError } from '../app/notices.tsx';
import { place, setQuery } from '../app/router.ts';
import { call, read, scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Confirm } from '../components/dialogs/confirm.tsx';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { RotateSecret } from '../components/dialogs/rotate-secret.tsx';
import { SecretDialog } from '../components/dialogs/secret-dialog.tsx';
import { Check, TextInput } from '../components/inputs/fields.tsx';
import { Problem } from '../components/problem.tsx';
import { usePages } from '../model/use-pages.ts';
import { Calls } from './calls.tsx';
import { ClientTable } from './client-table.tsx';
import { clientPath, scopeMeanings } from './clients.ts';

const pageSize = '100';

/** What is shown of a client with a secret, with how a program gets a token by it, as a command for a shell. */
function secretOf({ id, name }: CreatedApiClient, secret: string) {
  const command = `curl -u '${id}:${secret}' -d grant_type=client_credentials ${serviceAddress()}/oauth/token`;
  return {
    heading: `The secret of “${name}”`,
    hint: 'It is shown only now, and not stored anywhere. Copy it to where the program keeps its secrets.',
    values: { [texts.login.clientId]: id, Secret: secret },
    command: { about: 'A token is requested like this:', text: command },
  };
}

/** What is shown of a client with a publishable key. */
function keyOf({ id, name, key = '' }: CreatedApiClient) {
  return {
    heading: `The publishable key of “${name}”`,
    hint: 'Put it into the page: it is no secret, and reads only what is published. It is shown again in the list.',
    values: { [texts.login.clientId]: id, [texts.access.key]: key },
  };
}

interface CreateClientProps {
  readonly projectKey: string;
  readonly onCreated: (client: CreatedApiClient) => void;
  readonly onClose: () => void;
}

/** Creates an API client with scopes that are explained. */
function CreateClient({ projectKey, onCreated, onClose }: CreateClientProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['view_test']));
  const [name, setName] = useState('');
  const [isPublishable, setPublishable] = useState(false);
  const [origins, setOrigins] = useState('');
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  const creation = (): Call => ({
    ...{ method: 'POST', path: pathOf(projectKey, 'api-clients') },
    json: isPublishable
      ? { name: name.trim(), publishable: true, origins: origins.split(/[\s,]+/).filter((origin) => origin !== '') }
      : { name: name.trim(), scopes: [...chosen] },
  });
  return (
    <FormDialog
      label={texts.access.create}
      submit={texts.access.create}
      isBlocked={!isPublishable && chosen.size === 0}
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
      <Check
        isChecked={isPublishable}
        onChange={() => setPublishable(!isPublishable)}
        label={texts.access.publishable}
      />
      {isPublishable ? (
        <TextInput
          label={texts.access.origins}
          name="origins"
          autocomplete="off"
          value={origins}
          onInput={setOrigins}
        />
      ) : (
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
      )}
    </FormDialog>
  );
}

/** The API clients of the project. */
export function Access({ projectKey }: { readonly projectKey: string }) {
  const listCall = (cursor?: string): Call => ({
    path: pathOf(projectKey, 'api-clients'),
    query: new URLSearchParams({ limit: pageSize, ...(cursor !== undefined && { cursor }) }),
  });
  const { rows: clients, problem, reload, more } = usePages<RegisteredApiClient>(projectKey, listCall);
  const [shown, setShown] = useState<CreatedApiClient>();
  const [rotating, setRotating] = useState<RegisteredApiClient>();
  const [leaving, setLeaving] = useState<RegisteredApiClient>();
  const { access } = texts;
  const mayManage = scopes.value.has('manage_api_clients');
  const isCreating = place.value.query.get('new') === 'true';
  const setCreating = (is: boolean) => setQuery({ new: is ? 'true' : undefined });

  async function remove(client: RegisteredApiClient): Promise<void> {
    await call(projectKey, { method: 'DELETE', path: clientPath(projectKey, client) });
    notify(`“${client.name}” is deleted.`);
    await reload();
  }
  const show = (secret: CreatedApiClient) => {
    setCreating(false);
    setRotating(undefined);
    setShown(secret);
    void reload();
  };

  return (
    <div class="page">
      <div class="bar">
        <h1>{access.heading}</h1>
        <span class="space" />
        {clients && <CopyAs call={() => listCall()} />}
        {mayManage && <Button label={access.create} kind="main" onClick={() => setCreating(true)} />}
      </div>
      <p class="hint">
        Programs get their tokens with a client id and a secret. Give each program its own, with no more than it needs.
      </p>
      <Problem
        text={
          problem === '' || mayManage
            ? problem
            : 'API clients can be seen and changed with the scope manage_api_clients, which you do not have here.'
        }
      />
      {clients?.length === 0 && (
        <div class="empty">
          <p>
            <strong>No program has access to this project yet.</strong>
          </p>
          <p>Make an API client for each program: a shop front that reads, an import that writes.</p>
        </div>
      )}
      {clients && clients.length > 0 && <ClientTable clients={clients} onRotate={setRotating} onDelete={setLeaving} />}
      {more && <Button label="More API clients" onClick={more} />}
      {clients && <Calls projectKey={projectKey} clients={clients} />}
      {isCreating && <CreateClient projectKey={projectKey} onClose={() => setCreating(false)} onCreated={show} />}
      {rotating && (
        <RotateSecret<CreatedApiClient>
          projectKey={projectKey}
          label={access.rotateLabel(rotating.name)}
          heading={`Give “${rotating.name}” a new secret?`}
          words={access.rotation}
          usual="3600"
          request={(overlapSeconds) => ({
            ...{ method: 'POST', path: clientPath(projectKey, rotating, 'rotate'), json: { overlapSeconds } },
          })}
          onClose={() => setRotating(undefined)}
          onRotated={show}
        />
      )}
      {shown && (
        <SecretDialog
          {...(shown.secret === undefined ? keyOf(shown) : secretOf(shown, shown.secret))}
          onClose={() => setShown(undefined)}
        />
      )}
      {leaving && (
        <Confirm
          label={access.deleteLabel(leaving.name)}
          question={`Delete “${leaving.name}”?`}
          hint="Its secret and all of its tokens end at once. This cannot be undone: a new API client has another id and secret."
          action={access.delete}
          onClose={() => setLeaving(undefined)}
          onConfirm={() => remove(leaving).catch(notifyError)}
        />
      )}
    </div>
  );
}
