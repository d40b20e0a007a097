import { notifyError } from '../app/notices.tsx';
import { mayWrite } from '../app/session.ts';
import { Button } from '../components/button.tsx';
import { differences } from '../model/paths.ts';
import { DifferenceTable } from '../table/difference-table.tsx';
import type { Editor } from './editor.ts';

/** Compares the staged with the current projection, and publishes or discards it. */
export function StagedTab({ editor }: { readonly editor: Editor }) {
  const [current, staged] = [editor.current.value, editor.staged.value];
  if (!current || !staged) return <p class="empty">No staged changes: readers see everything that is saved.</p>;
  const act = (action: string) => editor.act({ action }).catch(notifyError);
  return (
    <>
      <h2>Changes to publish</h2>
      <DifferenceTable lines={differences(current, staged)} before="Now" after="After publishing" />
      {mayWrite.value && (
        <div class="actions">
          <Button
            label="Discard staged changes"
            isDisabled={editor.isBusy.value}
            onClick={() => act('revertStagedChanges')}
          />
          <Button label="Publish" kind="main" isDisabled={editor.isBusy.value} onClick={() => act('publish')} />
        </div>
      )}
    </>
  );
}
