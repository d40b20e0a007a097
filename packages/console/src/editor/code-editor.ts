import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, ensureSyntaxTree, foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { rangeOfPlace } from './json-place.ts';

/** An open editor of text. */
export interface CodeEditor {
  text(): string;
  replace(text: string): void;
  /** Marks the place of JSON that the service refused, such as `types.product.unique[0]`, and puts the cursor there. */
  mark(place: string, message: string): void;
  close(): void;
}

interface EditorOptions {
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  /** The id of the element that names what is edited as plain text. Without it, the text is JSON. */
  readonly labelledBy?: string | undefined;
}

/** Longer texts are not checked while they are typed: that would hold up the keys. */
const maxCheckedChars = 256 * 1024;
const maxParseMs = 50;

const nonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** Marks the place where the text stops to be JSON; the tooltip says why. */
const jsonProblem = EditorView.decorations.compute(['doc'], (state) => {
  const { doc } = state;
  if (doc.length === 0 || doc.length > maxCheckedChars) return Decoration.none;
  try {
    JSON.parse(doc.toString());
    return Decoration.none;
  } catch (error) {
    let from = doc.length - 1;
    ensureSyntaxTree(state, doc.length, maxParseMs)?.iterate({
      enter(node) {
        if (node.type.isError) from = Math.min(from, node.from);
      },
    });
    const mark = Decoration.mark({ class: 'json-problem', attributes: { title: (error as Error).message } });
    return Decoration.set(mark.range(from, from + 1));
  }
});

const setMark = StateEffect.define<{ readonly from: number; readonly to: number; readonly title: string }>();

/** The place that the service refused, until the text changes. */
const refusedPlace = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setMark))?.value;
    if (!set) return transaction.docChanged ? Decoration.none : marks;
    const { from, to, title } = set;
    return Decoration.set(Decoration.mark({ class: 'json-problem', attributes: { title } }).range(from, to));
  },
  provide: (field) => EditorView.decorations.from(field),
});

function jsonExtensions(): readonly Extension[] {
  return [
    foldGutter(),
    bracketMatching(),
    json(),
    syntaxHighlighting(classHighlighter),
    jsonProblem,
    refusedPlace,
    EditorView.contentAttributes.of({ 'aria-label': 'JSON' }),
  ];
}

/** Every character of a text stays, the ends of its lines too. */
function textExtensions(text: string, labelledBy: string): readonly Extension[] {
  const isOfWindows = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
  return [
    EditorState.lineSeparator.of(isOfWindows ? '\r\n' : '\n'),
    EditorView.contentAttributes.of({ 'aria-labelledby': labelledBy, dir: 'auto' }),
  ];
}

/** Opens an editor inside an element. Colours come from the style sheet, by the classes of `classHighlighter`. */
export function openEditor(parent: HTMLElement, text: string, options: EditorOptions): CodeEditor {
  const { isReadOnly, onChange, labelledBy } = options;
  let isReplacing = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightSelectionMatches(),
        labelledBy === undefined ? jsonExtensions() : textExtensions(text, labelledBy),
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap]),
        EditorView.cspNonce.of(nonce()),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ tabindex: '0' }),
        EditorState.readOnly.of(isReadOnly),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isReplacing) onChange(update.state.sliceDoc());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.sliceDoc(),
    replace(next) {
      isReplacing = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(next) } });
      isReplacing = false;
    },
    mark(place, title) {
      const range = rangeOfPlace(view.state, place);
      if (!range) return;
      view.dispatch({
        effects: setMark.of({ ...range, title }),
        selection: { anchor: range.from },
        scrollIntoView: true,
      });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
