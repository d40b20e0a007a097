import { useEffect, useRef, useState } from 'preact/hooks';
import { isMap, parseJson, sameJson, writeJson } from '../api/json.ts';
import { errorText, notifyError } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import type { CodeEditor } from '../editor/code-editor.ts';
import type { Editor } from './editor.ts';
import { ownFields } from './write.ts';

const invalidName = '(JSON)';

/** The fields as JSON, in an editor that is loaded when it is first needed. */
export function JsonTab({ editor, mayWrite }: { readonly editor: Editor; readonly mayWrite: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<CodeEditor>(undefined);
  const [problem, setProblem] = useState('');
  const mine = editor.mine.value;

  function typed(text: string): void {
    const invalid = new Set(editor.invalid.value);
    try {
      const parsed = parseJson(text);
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

  const shown = () => {
    const document = editor.mine.value ?? {};
    return { ...(document.key !== undefined && { key: document.key }), ...ownFields(document) };
  };

  useEffect(() => {
    let isClosed = false;
    import('../editor/code-editor.ts')
      .then(({ openEditor }) => {
        if (isClosed || !box.current) return;
        view.current = openEditor(box.current, writeJson(shown(), 2), { isReadOnly: !mayWrite, onChange: typed });
      })
      .catch(notifyError);
    return () => {
      isClosed = true;
      view.current?.close();
      const invalid = new Set(editor.invalid.value);
      invalid.delete(invalidName);
      editor.invalid.value = invalid;
    };
  }, [editor]);

  useEffect(() => {
    // Undone or saved: what is typed is only replaced where it means something else.
    const open = view.current;
    if (!open || editor.invalid.value.has(invalidName)) return;
    if (!sameJson(parseJson(open.text()), shown())) open.replace(writeJson(shown(), 2));
  }, [mine]);

  return (
    <>
      <div ref={box} class="json-editor" />
      {problem !== '' && (
        <p class="problem" role="alert">
          {texts.resource.jsonInvalid} {problem}
        </p>
      )}
    </>
  );
}
