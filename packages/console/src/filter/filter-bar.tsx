import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Options, optionId } from '../components/options.tsx';
import { facetValues } from './facet-values.ts';
import { positionAt } from './position.ts';
import { type Suggestion, suggestionsAt, type Values, valuesInRows } from './suggestions.ts';

interface FilterBarProps {
  readonly projectKey: string;
  readonly rows: readonly JsonMap[];
  readonly where: string;
  readonly staged: boolean;
  readonly error: unknown;
  readonly onApply: (where: string) => void;
  readonly onStaged: (staged: boolean) => void;
}

interface Open {
  readonly suggestions: readonly Suggestion[];
  /** The index of the one that Enter takes; -1 for none. */
  readonly active: number;
}

const none: Open = { suggestions: [], active: -1 };
const optionsId = 'filter-options';

/** The predicate. The API points at what it does not understand with a caret below the text. */
export function FilterBar({ projectKey, rows, where, staged, error, onApply, onStaged }: FilterBarProps) {
  const [text, setText] = useState(where);
  const [open, setOpen] = useState<Open>(none);
  const input = useRef<HTMLInputElement>(null);
  const asked = useRef(0);
  useEffect(() => {
    setText(where);
    setOpen(none);
  }, [where]);
  const shown = error instanceof ApiError || error instanceof Error ? errorText(error) : '';

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
    const caret = input.current?.selectionStart ?? typed.length;
    const { expected } = positionAt(typed, caret);
    asked.current += 1;
    const own = asked.current;
    if (expected.kind !== 'value' || expected.needsList || expected.path.length === 0) {
      show(typed, caret, []);
      return;
    }
    const inRows = valuesInRows(rows, expected.path);
    show(typed, caret, inRows);
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
    const caret = element?.selectionStart ?? text.length;
    const { start } = positionAt(text, caret);
    const next = text.slice(0, start) + insert + text.slice(caret).replace(/^"/, '');
    setText(next);
    if (!element) return;
    element.value = next;
    element.focus();
    element.setSelectionRange(start + insert.length, start + insert.length);
    if (insert.endsWith(' ') || insert.endsWith('(')) suggest(next);
    else close();
  }

  function pressed(event: KeyboardEvent): void {
    const { suggestions, active } = open;
    const isOpen = suggestions.length > 0;
    const move = (to: number) => {
      event.preventDefault();
      setOpen({ suggestions, active: (to + suggestions.length) % suggestions.length });
    };
    if (event.key === 'ArrowDown' && isOpen) move(active + 1);
    else if (event.key === 'ArrowUp' && isOpen) move(active < 0 ? suggestions.length - 1 : active - 1);
    else if (event.key === 'ArrowDown' || (event.key === ' ' && event.ctrlKey)) {
      event.preventDefault();
      suggest(text);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      take(suggestions[active]!);
    } else if (event.key === 'Tab' && !event.shiftKey && isOpen && (active >= 0 || wordAtCaret() !== '')) {
      event.preventDefault();
      take(suggestions[Math.max(0, active)]!);
    }
  }

  const wordAtCaret = () => positionAt(text, input.current?.selectionStart ?? text.length).word;
  const isOpen = open.suggestions.length > 0;

  return (
    <search>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault();
          close();
          onApply(text.trim());
        }}
      >
        <div class="grow completed">
          <label class="sr" for="filter-text">
            {texts.resources.where}
          </label>
          <input
            id="filter-text"
            ref={input}
            type="text"
            class="code"
            value={text}
            placeholder={texts.resources.wherePlaceholder}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={optionsId}
            aria-activedescendant={open.active >= 0 ? optionId(optionsId, open.active) : undefined}
            aria-invalid={shown !== ''}
            aria-describedby={shown === '' ? undefined : 'filter-problem'}
            onInput={(event) => {
              setText(event.currentTarget.value);
              suggest(event.currentTarget.value);
            }}
            onKeyDown={pressed}
            onBlur={close}
          />
          <Options
            id={optionsId}
            label={texts.filter.suggestions}
            isHidden={!isOpen}
            active={open.active}
            options={open.suggestions.map(({ insert, hint }) => ({
              key: insert,
              content: (
                <>
                  <code dir="auto">{insert.trim()}</code> <span>{hint}</span>
                </>
              ),
            }))}
            onTake={(at) => take(open.suggestions[at]!)}
          />
        </div>
        <Button isSubmit label={texts.apply} />
        <label class="check" title={texts.resources.stagedHint}>
          <input type="checkbox" checked={staged} onChange={(event) => onStaged(event.currentTarget.checked)} />
          {texts.resources.staged}
        </label>
        {shown !== '' && (
          <pre id="filter-problem" class="problem" role="alert">
            {shown}
          </pre>
        )}
      </form>
    </search>
  );
}
