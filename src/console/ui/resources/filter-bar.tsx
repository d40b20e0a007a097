import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';

interface FilterBarProps {
  readonly where: string;
  readonly staged: boolean;
  readonly error: unknown;
  readonly onApply: (where: string) => void;
  readonly onStaged: (staged: boolean) => void;
}

/** The predicate. The API points at what it does not understand with a caret below the text. */
export function FilterBar({ where, staged, error, onApply, onStaged }: FilterBarProps) {
  const [text, setText] = useState(where);
  useEffect(() => setText(where), [where]);
  const shown = error instanceof ApiError || error instanceof Error ? errorText(error) : '';
  return (
    <search>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault();
          onApply(text.trim());
        }}
      >
        <label class="grow">
          <span class="sr">{texts.resources.where}</span>
          <input
            type="text"
            class="code"
            value={text}
            placeholder={texts.resources.wherePlaceholder}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            aria-invalid={shown !== ''}
            aria-describedby={shown === '' ? undefined : 'filter-problem'}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit">{texts.resources.apply}</button>
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
