import { useEffect, useRef } from 'preact/hooks';
import { notifyError } from '../app/notices.tsx';
import type { JsonEditor } from './json-editor.ts';

interface JsonFieldProps {
  /** What is in the editor at first. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** An editor of JSON, which is loaded when it is first needed. */
export function JsonField({ text, onChange }: JsonFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isClosed = false;
    let editor: JsonEditor | undefined;
    import('./json-editor.ts')
      .then(({ openJsonEditor }) => {
        if (!isClosed && box.current) editor = openJsonEditor(box.current, text, { isReadOnly: false, onChange });
      })
      .catch(notifyError);
    return () => {
      isClosed = true;
      editor?.close();
    };
  }, []);
  return <div ref={box} class="json-editor" />;
}
