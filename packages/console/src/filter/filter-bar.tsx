import { useEffect, useRef, useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Form } from '../components/form.tsx';
import { Check } from '../components/inputs/fields.tsx';
import { Options, optionId } from '../components/inputs/options.tsx';
import { Problem } from '../components/problem.tsx';
import { useCompletion } from './completion.ts';

interface FilterBarProps {
  readonly projectKey: string;
  readonly rows: readonly JsonMap[];
  readonly where: string;
  readonly staged: boolean;
  readonly error: unknown;
  readonly onApply: (where: string) => void;
  readonly onStaged: (staged: boolean) => void;
}

const optionsId = 'filter-options';

/** The predicate. The API points at what it does not understand with a caret below the text. */
export function FilterBar({ projectKey, rows, where, staged, error, onApply, onStaged }: FilterBarProps) {
  const [text, setText] = useState(where);
  const input = useRef<HTMLInputElement>(null);
  const completion = useCompletion({ projectKey, rows, input, text, onText: setText });
  const { suggestions, active, close } = completion;
  const isOpen = suggestions.length > 0;
  useEffect(() => {
    setText(where);
    close();
  }, [where]);
  const shown = error instanceof Error ? errorText(error) : '';

  return (
    <search>
      <Form
        class="filter"
        onSubmit={() => {
          close();
          onApply(text.trim());
        }}
      >
        <div class="grow completed">
          <input
            aria-label="Filter"
            ref={input}
            type="text"
            class="code"
            value={text}
            placeholder={'color = "oak" and stock > 100'}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={optionsId}
            aria-activedescendant={active >= 0 ? optionId(optionsId, active) : undefined}
            aria-invalid={shown !== ''}
            aria-describedby={shown === '' ? undefined : 'filter-problem'}
            onInput={(event) => {
              setText(event.currentTarget.value);
              completion.suggest(event.currentTarget.value);
            }}
            onKeyDown={completion.onKeyDown}
            onBlur={close}
          />
          <Options
            id={optionsId}
            label="Suggestions"
            isHidden={!isOpen}
            active={active}
            options={suggestions.map(({ insert, hint }) => ({
              key: insert,
              content: (
                <>
                  <code dir="auto">{insert.trim()}</code> <span>{hint}</span>
                </>
              ),
            }))}
            onTake={(at) => completion.take(suggestions[at]!)}
          />
        </div>
        <Button isSubmit label={texts.apply} />
        <Check
          label={texts.resources.staged}
          title="Match and show staged values"
          isChecked={staged}
          onChange={onStaged}
        />
        <Problem id="filter-problem" text={shown} isCode />
      </Form>
    </search>
  );
}
