import { serviceAddress } from '../api/base-address.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import type { ClientSecret } from './clients.ts';

/** How a program gets a token with the secret, as a command for a shell. */
function tokenCommand({ id, secret }: ClientSecret): string {
  return `curl -u '${id}:${secret}' -d grant_type=client_credentials ${serviceAddress()}/oauth/token`;
}

/** Shows a secret once. */
export function SecretDialog({ client, onClose }: { readonly client: ClientSecret; readonly onClose: () => void }) {
  const { access } = texts;
  return (
    <Dialog label={access.secretHeading(client.name)} onClose={onClose} isWide>
      <h1 dir="auto">{access.secretHeading(client.name)}</h1>
      <p>It is shown only now, and not stored anywhere. Copy it to where the program keeps its secrets.</p>
      <dl class="facts secret">
        <div>
          <dt>{texts.login.clientId}</dt>
          <dd>
            <code>{client.id}</code>
            <CopyButton text={() => client.id} />
          </dd>
        </div>
        <div>
          <dt>Secret</dt>
          <dd>
            <code>{client.secret}</code>
            <CopyButton text={() => client.secret} />
          </dd>
        </div>
      </dl>
      <p>A token is requested like this:</p>
      <pre class="code">{tokenCommand(client)}</pre>
      <div class="actions">
        <CopyButton text={() => tokenCommand(client)} label={texts.copyCurl} />
        <Button label={texts.close} kind="main" onClick={onClose} />
      </div>
    </Dialog>
  );
}
