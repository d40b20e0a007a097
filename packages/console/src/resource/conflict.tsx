import { notifyError } from '../app/notices.tsx';
import { MergeDialog } from '../components/dialogs/merge-dialog.tsx';
import type { Editor } from './editor.ts';

/** The merge of what I edited with what someone else saved meanwhile. */
export function Conflict({ editor, name }: { readonly editor: Editor; readonly name: string }) {
  const { theirs, isStaged } = editor.conflict.value!;
  const base = editor.base.value!;
  return (
    <MergeDialog
      heading={`${name} was changed while you edited it`}
      base={base}
      mine={editor.mine.value!}
      theirs={theirs}
      versions={[String(base.version), String(theirs.version)]}
      submit={`Save as version ${Number(theirs.version) + 1}`}
      isBusy={editor.isBusy.value}
      onMerge={(lines) => {
        const changes = lines.map(({ path, mine: value }) => ({ path, value }));
        editor.saveOver(theirs, changes, isStaged).catch(notifyError);
      }}
      onClose={() => {
        editor.conflict.value = undefined;
      }}
    />
  );
}
