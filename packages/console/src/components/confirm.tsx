import { texts } from '../app/texts.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  readonly question: string;
  readonly hint?: string;
  /** What the button says that does it. */
  readonly action: string;
  /** It takes nothing away. */
  readonly isMain?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that changes much, or that cannot be undone. */
export function Confirm({ question, hint, action, isMain = false, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog label={question} onClose={onClose}>
      <h1>{question}</h1>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <div class="actions">
        <button type="button" onClick={onClose}>
          {texts.cancel}
        </button>
        <button
          type="button"
          class={isMain ? 'main' : 'danger'}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
