import { useEffect, useRef } from 'preact/hooks';
import { notifyError } from '../app/notices.tsx';
import type { CodeEditor } from './code-editor.ts';

interface EditorFieldProps {
  /** Another one than what is in the editor replaces it. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly isReadOnly?: boolean;
  /** The id of the element that names what is edited as plain text. Without it, the text is JSON. */
  readonly labelledBy?: string;
}

/** An editor of JSON or of long texts, which is loaded when it is first needed. */
export function EditorField({ text, onChange, isReadOnly = false, labelledBy }: EditorFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  /** What was typed and has not come back yet, oldest first. */
  const typed = useRef<string[]>([]);
  const latest = useRef({ text, onChange });
  latest.current = { text, onChange };
  useEffect(() => {
    let isClosed = false;
    import('./code-editor.ts')
      .then(({ openEditor }) => {
        if (isClosed || !box.current) return;
        const changed = (next: string) => {
          typed.current.push(next);
          latest.current.onChange(next);
        };
        editor.current = openEditor(box.current, latest.current.text, { isReadOnly, onChange: changed, labelledBy });
      })
      .catch(notifyError);
    return () => {
      isClosed = true;
      editor.current?.close();
    };
  }, []);
  useEffect(() => {
    // What was typed comes back here, and by then more may have been typed. Anything else is from elsewhere: an undo.
    const at = typed.current.indexOf(text);
    typed.current = typed.current.slice(at + 1);
    if (at >= 0 || !editor.current || editor.current.text() === text) return;
    typed.current = [];
    editor.current.replace(text);
  }, [text]);
  return <div ref={box} class="json-editor" />;
}
