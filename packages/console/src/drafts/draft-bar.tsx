import { briefly } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { elementId, type Path, pathText } from '../model/paths.ts';
import type { Editor } from '../resource/editor.ts';
import { overlaps } from './drafts.ts';

/** Says that fields have drafts, and which of the two texts the form shows. */
export function DraftBar({ editor }: { readonly editor: Editor }) {
  const drafts = editor.drafts.value;
  if (drafts.length === 0) return null;
  const isDraft = editor.view.value === 'staged';
  const hasEdits = editor.changes.value.length > 0;
  return (
    <div class="between newer" role="status">
      <span>{isDraft ? texts.drafts.shown(drafts.length) : texts.drafts.exist(drafts.length)}</span>
      <Button
        label={isDraft ? 'Show what readers see' : 'Edit the draft'}
        isDisabled={hasEdits || editor.isBusy.value}
        title={hasEdits ? texts.resource.saveFirst : undefined}
        onClick={() => editor.show(isDraft ? 'current' : 'staged')}
      />
    </div>
  );
}

interface DraftNotesProps {
  readonly editor: Editor;
  readonly path: Path;
  /** The members of the field are fields of the form, with notes of their own. */
  readonly isGroup: boolean;
}

/** The drafts of a field: each with the text that the form does not show, and who staged it. */
export function DraftNotes({ editor, path, isGroup }: DraftNotesProps) {
  const own = editor.drafts.value.filter((draft) => {
    const isHere = draft.path.length === path.length;
    return overlaps(draft.path, path) && (isHere || (!isGroup && draft.path.length > path.length));
  });
  const isDraft = editor.view.value === 'staged';
  return (
    <>
      {own.map((draft) => {
        const other = isDraft ? draft.before : draft.after;
        const text = other === undefined ? texts.resource.none : briefly(other, 200);
        return (
          <p key={pathText(draft.path)} class="draft-note" id={elementId('draft', pathText(draft.path))} dir="auto">
            <span class="badge warn">{texts.drafts.draft}</span>
            {draft.path.length > path.length && <strong> {pathText(draft.path.slice(path.length))}:</strong>}{' '}
            {isDraft ? `Readers see: ${text}` : text}
            {draft.at !== undefined && <span class="hint"> {texts.drafts.by(draft)}</span>}
          </p>
        );
      })}
    </>
  );
}
