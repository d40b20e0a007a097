import { notifyError } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { differences } from '../model/paths.ts';
import { DifferenceTable } from '../table/difference-table.tsx';
import type { Editor } from './editor.ts';

/** What is staged, beside what readers see, with the choice to publish or to discard it. */
export function StagedTab({ editor, mayWrite }: { readonly editor: Editor; readonly mayWrite: boolean }) {
  const [current, staged] = [editor.current.value, editor.staged.value];
  if (!current || !staged) return <p class="empty">{texts.resource.nothingStaged}</p>;
  const act = (action: string) => editor.act({ action }).catch(notifyError);
  return (
    <>
      <h2>{texts.resource.stagedHeading}</h2>
      <DifferenceTable
        lines={differences(current, staged)}
        before={texts.resource.before}
        after={texts.resource.after}
      />
      {mayWrite && (
        <div class="actions">
          <Button
            label={texts.resource.revert}
            isDisabled={editor.isBusy.value}
            onClick={() => act('revertStagedChanges')}
          />
          <Button
            label={texts.resource.publish}
            kind="main"
            isDisabled={editor.isBusy.value}
            onClick={() => act('publish')}
          />
        </div>
      )}
    </>
  );
}
