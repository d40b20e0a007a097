import { signal } from '@preact/signals';
import { ApiError } from '../api/client.ts';
import { Button } from '../components/button.tsx';

/** A button in a notice. */
interface NoticeAction {
  readonly label: string;
  readonly run: () => Promise<void>;
}

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  readonly action?: NoticeAction | undefined;
}

const notices = signal<readonly Notice[]>([]);
let count = 0;

const shownMs = 6000;
/** Notices with an action stay long enough to read them and to reach the button by keyboard. */
const shownWithActionMs = 60_000;

/**
 * Shows a line at the edge of the page for a few seconds; errors until they are closed. One with an action stays longer,
 * until there is another one.
 */
export function notify(text: string, isError = false, action?: NoticeAction): void {
  count += 1;
  const id = count;
  const kept = notices.value.filter((notice) => !action || !notice.action);
  notices.value = [...kept.slice(-3), { id, text, isError, action }];
  if (!isError) setTimeout(() => dismiss(id), action ? shownWithActionMs : shownMs);
}

/** The text of an error for people. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Shows an error, unless it only says that nobody waits any more, or that a login is needed. */
export function notifyError(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (error instanceof ApiError && error.status === 401) return;
  notify(errorText(error), true);
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, isError, action }) => (
        <div key={id} class={isError ? 'notice error' : 'notice'}>
          <span class="grow">{text}</span>
          {action && (
            <Button
              label={action.label}
              onClick={() => {
                dismiss(id);
                action.run().catch(notifyError);
              }}
            />
          )}
          <Button label="×" kind="plain" spoken="Dismiss the notice" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
