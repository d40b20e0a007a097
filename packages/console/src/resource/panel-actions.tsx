import { useState } from 'preact/hooks';
import { notifyError } from '../app/notices.tsx';
import { go, place } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { Confirm } from '../components/confirm.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { lazily } from '../components/lazily.tsx';
import type { Editor } from './editor.ts';

const ActionDialog = lazily(() => import('../actions/action-dialog.tsx').then((module) => module.ActionDialog));

interface ActionsProps {
  readonly editor: Editor;
  readonly projectKey: string;
  readonly isNew: boolean;
  readonly onDeleted: () => void;
}

/** What can be done with the resource. */
export function PanelActions({ editor, projectKey, isNew, onDeleted }: ActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const [isActing, setActing] = useState(false);
  const count = editor.changes.value.length;
  const isBusy = editor.isBusy.value;
  const isBlocked = isBusy || editor.invalid.value.size > 0;
  const save = (isStaged: boolean) => editor.save(isStaged).catch(notifyError);
  const created = async () => {
    const id = await editor.create();
    go({ item: id, query: place.value.query });
  };
  if (isNew) {
    return (
      <div class="panel-actions">
        <button type="button" class="main" disabled={isBlocked} onClick={() => created().catch(notifyError)}>
          {texts.resource.create}
        </button>
      </div>
    );
  }
  return (
    <div class="panel-actions">
      <button type="button" class="main" disabled={count === 0 || isBlocked} onClick={() => save(false)}>
        {texts.resource.save(count)}
      </button>
      <button type="button" disabled={count === 0 || isBlocked} onClick={() => save(true)}>
        {texts.resource.stage}
      </button>
      <button type="button" disabled={count === 0} onClick={() => editor.undo()}>
        {texts.resource.undo}
      </button>
      <span class="space" />
      {count > 0 && <CopyAs label={texts.resource.copyChange} call={() => editor.saveCall(false)} />}
      <button
        type="button"
        disabled={count > 0 || isBlocked}
        title={count > 0 ? texts.actions.saveFirst : undefined}
        onClick={() => setActing(true)}
      >
        {texts.actions.open}
      </button>
      <button type="button" class="danger" disabled={isBusy} onClick={() => setAsking(true)}>
        {texts.resource.delete}
      </button>
      {isActing && <ActionDialog editor={editor} projectKey={projectKey} onClose={() => setActing(false)} />}
      {isAsking && (
        <Confirm
          question={texts.resource.deleteQuestion}
          hint={texts.resource.deleteHint}
          action={texts.resource.delete}
          onConfirm={() => editor.remove().then(onDeleted, notifyError)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
