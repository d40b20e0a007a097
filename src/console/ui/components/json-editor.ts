import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

/** An open editor of JSON text. */
export interface JsonEditor {
  text(): string;
  replace(text: string): void;
  close(): void;
}

interface EditorOptions {
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** Longer texts are not checked while they are typed: that would hold up the keys. */
const maxCheckedChars = 256 * 1024;

const nonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** Opens an editor inside an element. Colours come from the style sheet, by the classes of `classHighlighter`. */
export function openJsonEditor(parent: HTMLElement, text: string, { isReadOnly, onChange }: EditorOptions): JsonEditor {
  let isReplacing = false;
  const check = jsonParseLinter();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightSelectionMatches(),
        json(),
        syntaxHighlighting(classHighlighter),
        linter((open) => (open.state.doc.length > maxCheckedChars ? [] : check(open))),
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap]),
        EditorView.cspNonce.of(nonce()),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'JSON', tabindex: '0' }),
        EditorState.readOnly.of(isReadOnly),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isReplacing) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace(next) {
      isReplacing = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      isReplacing = false;
    },
    close: () => view.destroy(),
  };
}
