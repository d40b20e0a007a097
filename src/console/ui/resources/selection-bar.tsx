import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { errorText, notify } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Dialog } from '../components/dialog.tsx';

interface SelectionBarProps {
  readonly projectKey: string;
  readonly rows: readonly JsonMap[];
  readonly selected: Signal<ReadonlySet<string>>;
  readonly onChanged: () => void;
}

/** Requests under way at a time. */
const parallel = 4;

/** What can be done with the selected resources. Each is changed in the version that the table shows. */
export function SelectionBar({ projectKey, rows, selected, onChanged }: SelectionBarProps) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const chosen = rows.filter(({ id }) => selected.value.has(id as string));
  if (chosen.length === 0) return null;

  async function forEach(change: (row: JsonMap) => Promise<unknown>): Promise<void> {
    setBusy(true);
    const waiting = [...chosen];
    const failures: unknown[] = [];
    const work = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        await change(row).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    setBusy(false);
    setAsking(false);
    selected.value = new Set();
    if (failures.length > 0) notify(texts.resources.deleteFailed(failures.length, errorText(failures[0])), true);
    onChanged();
  }

  const remove = ({ id, version }: JsonMap) =>
    call(projectKey, {
      method: 'DELETE',
      path: pathOf(projectKey, 'resource', id as string),
      query: new URLSearchParams({ version: String(version) }),
    });
  const publish = ({ id, version }: JsonMap) =>
    call(projectKey, {
      method: 'POST',
      path: pathOf(projectKey, 'resource', id as string),
      json: { version: version!, actions: [{ action: 'publish' }] },
    });

  return (
    <div class="bar selection" role="toolbar" aria-label={texts.resources.selected(chosen.length)}>
      <strong>{texts.resources.selected(chosen.length)}</strong>
      <button type="button" disabled={isBusy} onClick={() => forEach(publish)}>
        {texts.resources.publishSelected}
      </button>
      <button type="button" class="danger" disabled={isBusy} onClick={() => setAsking(true)}>
        {texts.resources.deleteSelected}
      </button>
      <button
        type="button"
        class="plain"
        onClick={() => {
          selected.value = new Set();
        }}
      >
        {texts.resources.clearSelection}
      </button>
      {isAsking && (
        <Dialog label={texts.resources.deleteSelected} onClose={() => setAsking(false)}>
          <h1>{texts.resources.deleteQuestion(chosen.length)}</h1>
          <p class="hint">{texts.resources.deleteHint}</p>
          <div class="actions">
            <button type="button" onClick={() => setAsking(false)}>
              {texts.cancel}
            </button>
            <button type="button" class="danger" disabled={isBusy} onClick={() => forEach(remove)}>
              {texts.resources.deleteSelected}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
