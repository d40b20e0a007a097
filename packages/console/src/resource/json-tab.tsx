import { useEffect, useState } from 'preact/hooks';
import { isMap, parseJson, sameJson, writeJson } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Problem } from '../components/problem.tsx';
import { EditorField } from '../editor/editor-field.tsx';
import type { Editor } from './editor.ts';
import { ownFields } from './write.ts';

const invalidName = '(JSON)';

/** The fields as JSON, in an editor that is loaded when it is first needed. */
export function JsonTab({ editor }: { readonly editor: Editor }) {
  const shown = () => {
    const document = editor.mine.value ?? {};
    return { ...(document.key !== undefined && { key: document.key }), ...ownFields(document) };
  };
  const [text, setText] = useState(() => writeJson(shown(), 2));
  const [problem, setProblem] = useState('');
  const mine = editor.mine.value;

  function typed(next: string): void {
    setText(next);
    const invalid = new Set(editor.invalid.value);
    try {
      const parsed = parseJson(next);
      if (!isMap(parsed)) throw new SyntaxError('{ … } expected');
      invalid.delete(invalidName);
      const { id, version, createdAt, lastModifiedAt, createdBy, lastModifiedBy, hasStagedChanges } =
        editor.mine.value ?? {};
      const system = { id, version, createdAt, lastModifiedAt, createdBy, lastModifiedBy, hasStagedChanges };
      const kept = Object.fromEntries(Object.entries(system).filter(([, value]) => value !== undefined));
      editor.mine.value = { ...kept, ...parsed } as typeof mine;
      setProblem('');
    } catch (error) {
      invalid.add(invalidName);
      setProblem(errorText(error));
    }
    editor.invalid.value = invalid;
  }

  useEffect(
    () => () => {
      const invalid = new Set(editor.invalid.value);
      invalid.delete(invalidName);
      editor.invalid.value = invalid;
    },
    [editor],
  );
  useEffect(() => {
    // Undone or saved: a typed text is only replaced if it has another meaning.
    if (editor.invalid.value.has(invalidName)) return;
    if (!sameJson(parseJson(text), shown())) setText(writeJson(shown(), 2));
  }, [mine]);

  return (
    <>
      <EditorField text={text} isReadOnly={!mayWrite.value} onChange={typed} />
      <Problem text={problem && `${texts.resource.jsonInvalid} ${problem}`} />
    </>
  );
}
