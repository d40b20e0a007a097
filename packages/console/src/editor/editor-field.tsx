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
  /** What the service refused; marked in the JSON once for each. */
  readonly refusal?: { readonly place: string; readonly message: string } | undefined;
}

/** An editor of JSON or of long texts, which is loaded when it is first needed. */
export function EditorField({ text, onChange, isReadOnly = false, labelledBy, refusal }: EditorFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  /** Texts that were typed but not passed back as `text` yet, oldest first. */
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
    // Typed texts come back here, by when more may have been typed. Any other text comes from elsewhere, such as an undo.
    const at = typed.current.indexOf(text);
    typed.current = typed.current.slice(at + 1);
    if (at >= 0 || !editor.current || editor.current.text() === text) return;
    typed.current = [];
    editor.current.replace(text);
  }, [text]);
  useEffect(() => {
    if (refusal) editor.current?.mark(refusal.place, refusal.message);
  }, [refusal]);
  return <div ref={box} class="json-editor" />;
}
