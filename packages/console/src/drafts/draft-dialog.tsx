import { briefly, type Json } from '../api/json.ts';
import { notifyError } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Scroll } from '../components/scroll.tsx';
import { pathText, valueAt } from '../model/paths.ts';
import type { Editor } from '../resource/editor.ts';

/** Asks before a plain save replaces drafts that the form does not show. */
export function DraftDialog({ editor }: { readonly editor: Editor }) {
  const { drafts, merged, keep, isStaged } = editor.question.value!;
  const close = () => {
    editor.question.value = undefined;
  };
  const answer = (choice: 'replace' | 'keep') => editor.answer(choice).catch(notifyError);
  const show = (value: Json | undefined) =>
    value === undefined ? <em>{texts.resource.none}</em> : briefly(value, 500);
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
      <Scroll class="scroll" label={texts.drafts.question(drafts.length)}>
        <table class="merge">
          <thead>
            <tr>
              <th scope="col">{texts.resource.field}</th>
              <th scope="col">{texts.drafts.readersSee}</th>
              <th scope="col">{texts.drafts.draft}</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {drafts.map((draft) => (
              <tr key={pathText(draft.path)} class="conflict">
                <th scope="row" dir="auto">
                  {pathText(draft.path)}
                </th>
                <td dir="auto">{show(draft.before)}</td>
                <td dir="auto">
                  {show(draft.after)}
                  {draft.at !== undefined && <p class="hint">{texts.drafts.by(draft)}</p>}
                </td>
                <td dir="auto">{show(valueAt(merged, draft.path))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
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
