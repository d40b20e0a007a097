import { texts } from '../../app/texts.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { Facts } from '../facts.tsx';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  readonly heading: string;
  readonly hint: string;
  /** Values by name, each with a button to copy it. */
  readonly values: Readonly<Record<string, string>>;
  /** How a program uses it. */
  readonly command?: { readonly about: string; readonly text: string };
  readonly onClose: () => void;
}

/** Shows a secret, once. */
export function SecretDialog({ heading, hint, values, command, onClose }: SecretDialogProps) {
  const facts = Object.entries(values).map(([name, value]) => {
    const shown = (
      <>
        <code>{value}</code>
        <CopyButton text={() => value} />
      </>
    );
    return [name, shown] as const;
  });
  return (
    <Dialog label={heading} onClose={onClose} isWide>
      <h1 dir="auto">{heading}</h1>
      <p>{hint}</p>
      <Facts class="facts tiles secret" facts={facts} />
      {command && (
        <>
          <p>{command.about}</p>
          <pre class="code">{command.text}</pre>
        </>
      )}
      <div class="actions">
        {command && <CopyButton text={() => command.text} label={texts.copyCurl} />}
        <Button label={texts.close} kind="main" onClick={onClose} />
      </div>
    </Dialog>
  );
}
