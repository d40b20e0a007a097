import { useState } from 'preact/hooks';
import { notifyError } from '../app/notices.tsx';
import { go, place } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Confirm } from '../components/dialogs/confirm.tsx';
import { lazily } from '../components/lazily.tsx';
import { deletionHint } from '../reference/referrers.ts';
import type { Editor } from './editor.ts';

const ActionDialog = lazily(() => import('../actions/action-dialog.tsx').then((module) => module.ActionDialog));

interface ActionsProps {
  readonly editor: Editor;
  readonly projectKey: string;
  readonly isNew: boolean;
  readonly onDeleted: () => void;
}

/** The buttons below the resource. */
export function PanelActions({ editor, projectKey, isNew, onDeleted }: ActionsProps) {
  /** What is to be known before a deletion, while that is asked about. */
  const [asked, setAsked] = useState<string>();
  const [isActing, setActing] = useState(false);
  const count = editor.changes.value.length;
  const isBusy = editor.isBusy.value;
  const isBlocked = isBusy || editor.invalid.value.size > 0;
  const save = (isStaged: boolean) => editor.save(isStaged).catch(notifyError);
  const ask = async () => {
    const hint = await deletionHint(projectKey, editor.base.value!.id as string);
    setAsked(
      hint ??
        'A resource that someone has changed meanwhile is kept. You can restore deleted resources while the history holds them.',
    );
  };
  const created = async () => {
    const id = await editor.create();
    if (id !== undefined) go({ item: id, query: place.value.query });
  };
  if (isNew) {
    return (
      <div class="line panel-actions">
        <Button label="Create" kind="main" isDisabled={isBlocked} onClick={() => created().catch(notifyError)} />
      </div>
    );
  }
  return (
    <div class="line panel-actions">
      <Button
        label={texts.resource.save(count)}
        kind="main"
        isDisabled={count === 0 || isBlocked}
        onClick={() => save(false)}
      />
      <Button label="Save as staged" isDisabled={count === 0 || isBlocked} onClick={() => save(true)} />
      <Button label="Undo" isDisabled={count === 0} onClick={() => editor.undo()} />
      <span class="space" />
      {count > 0 && <CopyAs label="Copy the change" call={() => editor.saveCall(false)} />}
      <Button
        label="Actions…"
        isDisabled={count > 0 || isBlocked}
        title={count > 0 ? texts.resource.saveFirst : undefined}
        onClick={() => setActing(true)}
      />
      <Button
        label={texts.resource.delete}
        kind="danger"
        isDisabled={isBusy}
        onClick={() => ask().catch(notifyError)}
      />
      {isActing && <ActionDialog editor={editor} projectKey={projectKey} onClose={() => setActing(false)} />}
      {asked !== undefined && (
        <Confirm
          question="Delete this resource?"
          hint={asked}
          action={texts.resource.delete}
          onConfirm={() => editor.remove().then(onDeleted, notifyError)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}
