import { signal } from '@preact/signals';
import { ApiError } from '../api/client.ts';
import { texts } from './texts.ts';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
}

const notices = signal<readonly Notice[]>([]);
let count = 0;

const shownMs = 6000;

/** Shows a line at the edge of the page for a few seconds; errors until they are closed. */
export function notify(text: string, isError = false): void {
  count += 1;
  const id = count;
  notices.value = [...notices.value.slice(-3), { id, text, isError }];
  if (!isError) setTimeout(() => dismiss(id), shownMs);
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
      {notices.value.map(({ id, text, isError }) => (
        <div key={id} class={isError ? 'notice error' : 'notice'}>
          <span>{text}</span>
          <button type="button" class="plain" aria-label={texts.dismiss} onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
