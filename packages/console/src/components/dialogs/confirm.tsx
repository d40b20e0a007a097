import { texts } from '../../app/texts.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  readonly question: string;
  /** For screen readers; the question where it is absent. */
  readonly label?: string;
  readonly hint?: string;
  /** The label of the button that confirms. */
  readonly action: string;
  /** It takes nothing away. */
  readonly isMain?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that changes much, or that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { question, label = question, hint, action, isMain = false, onConfirm, onClose } = props;
  return (
    <Dialog label={label} onClose={onClose}>
      <h1 dir="auto">{question}</h1>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <div class="actions">
        <Button label={texts.cancel} onClick={onClose} />
        <Button
          label={action}
          kind={isMain ? 'main' : 'danger'}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        />
      </div>
    </Dialog>
  );
}
