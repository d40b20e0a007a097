import { notifyError } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { shownValue } from '../components/dialogs/merge-dialog.tsx';
import { pathText, valueAt } from '../model/paths.ts';
import type { Editor } from '../resource/editor.ts';
import { ListTable } from '../table/list-table.tsx';

/** Asks before a plain save replaces drafts that the form does not show. */
export function DraftDialog({ editor }: { readonly editor: Editor }) {
  const { drafts, merged, keep, isStaged } = editor.question.value!;
  const close = () => {
    editor.question.value = undefined;
  };
  const answer = (choice: 'replace' | 'keep') => editor.answer(choice).catch(notifyError);
  return (
    <Dialog label={texts.drafts.question(drafts.length)} onClose={close} isWide>
      <h1>{texts.drafts.question(drafts.length)}</h1>
      <p class="hint">
        {isStaged
          ? 'Somebody has staged another text. Yours takes its place; readers see neither until it is published.'
          : keep
            ? 'A plain save changes what readers see, and the draft with it. You can keep the draft: it then still waits to be published.'
            : 'This save changes what readers see, and replaces everything that is staged.'}
      </p>
      <ListTable
        label={texts.drafts.question(drafts.length)}
        class="merge"
        rows={drafts}
        keyOf={({ path }) => pathText(path)}
        rowClassOf={() => 'conflict'}
        columns={[
          { name: texts.resource.field, kind: 'head', cell: ({ path }) => pathText(path) },
          { name: texts.drafts.readersSee, cell: ({ before }) => shownValue(before) },
          {
            name: texts.drafts.draft,
            cell: (draft) => (
              <>
                {shownValue(draft.after)}
                {draft.at !== undefined && <p class="hint">{texts.drafts.by(draft)}</p>}
              </>
            ),
          },
          { name: 'Yours', cell: ({ path }) => shownValue(valueAt(merged, path)) },
        ]}
      />
      <div class="actions">
        <Button label={texts.resource.back} onClick={close} />
        <span class="space" />
        <Button
          label={isStaged ? texts.drafts.replaceStaged(drafts.length) : texts.drafts.replace(drafts.length)}
          kind="danger"
          isDisabled={editor.isBusy.value}
          onClick={() => answer('replace')}
        />
        {keep && (
          <Button
            label={texts.drafts.keep(drafts.length)}
            kind="main"
            isDisabled={editor.isBusy.value}
            onClick={() => answer('keep')}
          />
        )}
      </div>
    </Dialog>
  );
}
