import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { facetValues } from './facet-values.ts';
import { positionAt } from './position.ts';
import { type Suggestion, suggestionsAt, type Values, valuesInRows } from './suggestions.ts';

interface Open {
  readonly suggestions: readonly Suggestion[];
  /** The index of the one that Enter takes; -1 for none. */
  readonly active: number;
}

const none: Open = { suggestions: [], active: -1 };

interface CompletionProps {
  readonly projectKey: string;
  readonly rows: readonly JsonMap[];
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The completion of a predicate while it is typed: what may follow at the caret, and the keys that choose from it. */
export function useCompletion({ projectKey, rows, input, text, onText }: CompletionProps) {
  const [open, setOpen] = useState<Open>(none);
  const asked = useRef(0);
  const caretIn = (typed: string) => input.current?.selectionStart ?? typed.length;

  function show(typed: string, caret: number, values: Values): void {
    setOpen({ suggestions: suggestionsAt(typed, caret, rows, values), active: -1 });
  }

  /** Shows values that came later than what was typed: what is active meanwhile stays active. */
  function addValues(typed: string, caret: number, values: Values): void {
    const suggestions = suggestionsAt(typed, caret, rows, values);
    setOpen((shown) => {
      const chosen = shown.suggestions[shown.active]?.insert;
      return { suggestions, active: suggestions.findIndex(({ insert }) => insert === chosen) };
    });
  }

  function suggest(typed: string): void {
    const caret = caretIn(typed);
    const { expected } = positionAt(typed, caret);
    asked.current += 1;
    const own = asked.current;
    if (expected.kind !== 'value' || expected.needsList || expected.path.length === 0) {
      show(typed, caret, []);
      return;
    }
    show(typed, caret, valuesInRows(rows, expected.path));
    // The rows that are loaded have some values; the service knows all of them.
    facetValues(projectKey, expected.path)
      .then((values) => {
        if (asked.current === own && values.length > 0) addValues(typed, caret, values);
      })
      .catch(() => {});
  }

  function close(): void {
    asked.current += 1;
    setOpen(none);
  }

  function take({ insert }: Suggestion): void {
    const element = input.current;
    const caret = caretIn(text);
    const { start } = positionAt(text, caret);
    const next = text.slice(0, start) + insert + text.slice(caret).replace(/^"/, '');
    onText(next);
    if (!element) return;
    element.value = next;
    element.focus();
    element.setSelectionRange(start + insert.length, start + insert.length);
    if (insert.endsWith(' ') || insert.endsWith('(')) suggest(next);
    else close();
  }

  /** The effect of a key; undefined where the input handles it. */
  function effectOf({ key, ctrlKey, shiftKey }: KeyboardEvent): (() => void) | undefined {
    const { suggestions, active } = open;
    const isOpen = suggestions.length > 0;
    const move = (to: number) => () => setOpen({ suggestions, active: (to + suggestions.length) % suggestions.length });
    if (key === 'ArrowDown' && isOpen) return move(active + 1);
    if (key === 'ArrowUp' && isOpen) return move(active < 0 ? suggestions.length - 1 : active - 1);
    if (key === 'ArrowDown' || (key === ' ' && ctrlKey)) return () => suggest(text);
    if (key === 'Escape' && isOpen) return close;
    const isWordBegun = () => positionAt(text, caretIn(text)).word !== '';
    const isTaken =
      (key === 'Enter' && active >= 0) || (key === 'Tab' && !shiftKey && isOpen && (active >= 0 || isWordBegun()));
    return isTaken ? () => take(suggestions[Math.max(0, active)]!) : undefined;
  }

  function onKeyDown(event: KeyboardEvent): void {
    const effect = effectOf(event);
    if (!effect) return;
    event.preventDefault();
    effect();
  }

  return { ...open, suggest, close, take, onKeyDown };
}
