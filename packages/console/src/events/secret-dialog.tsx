import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';

/** Shows a secret, once. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog label={texts.subscriptions.secret} onClose={onClose}>
      <h1>{texts.subscriptions.secret}</h1>
      <p>The secret is shown only now. Store it where the receiver finds it.</p>
      <pre class="code">{secret}</pre>
      <div class="actions">
        <CopyButton text={() => secret} />
        <Button label={texts.close} kind="main" onClick={onClose} />
      </div>
    </Dialog>
  );
}
