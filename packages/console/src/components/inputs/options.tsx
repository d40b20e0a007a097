import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { focus } from '../../browser/focus.ts';

/** The options of a combobox; its input has `aria-controls={id}` and `aria-activedescendant={optionId(id, active)}`. */
interface OptionsProps {
  readonly id: string;
  readonly label: string;
  readonly options: readonly { readonly key: string; readonly content: ComponentChildren }[];
  /** The index of the one that Enter takes; -1 for none. */
  readonly active: number;
  readonly isHidden?: boolean;
  readonly onTake: (index: number) => void;
  /** The pointer is above an option. */
  readonly onPoint?: (index: number) => void;
}

/** The id of an option. */
export const optionId = (id: string, index: number): string => `${id}-${index}`;

/** A list to choose from, below an input that keeps the focus and moves what is active. */
export function Options({ id, label, options, active, isHidden, onTake, onPoint }: OptionsProps) {
  useEffect(() => {
    if (active >= 0) document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div id={id} class="options" role="listbox" aria-label={label} hidden={isHidden}>
      {options.map(({ key, content }, at) => (
        <div
          key={key}
          id={optionId(id, at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          onPointerMove={() => onPoint?.(at)}
          onMouseDown={(event) => {
            // The input keeps the focus.
            event.preventDefault();
            onTake(at);
          }}
        >
          {content}
        </div>
      ))}
    </div>
  );
}

interface ComboboxProps extends Pick<OptionsProps, 'id' | 'label' | 'options' | 'onTake'> {
  /** The name of the input. */
  readonly name: string;
  /** The name is for screen readers alone. */
  readonly isNameHidden?: boolean;
  readonly placeholder?: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** An input that has the focus, and options below it: keys and the pointer move what is active, Enter and a click take it. */
export function Combobox({ name, isNameHidden, placeholder, text, onText, ...list }: ComboboxProps) {
  const { id, options, onTake } = list;
  const [chosen, setChosen] = useState(0);
  const active = Math.min(chosen, options.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (options.length === 0) return;
    if (step === undefined) return onTake(active);
    // By one it goes around; by a page it stops at the ends.
    const next = active + step;
    const around = (next + options.length) % options.length;
    setChosen(Math.abs(step) === 1 ? around : Math.max(0, Math.min(options.length - 1, next)));
  };
  return (
    <>
      <label>
        <span class={isNameHidden ? 'sr' : undefined}>{name}</span>
        <input
          role="combobox"
          aria-expanded={options.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? optionId(id, active) : undefined}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          ref={focus}
          value={text}
          onInput={(event) => {
            onText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <Options {...list} active={active} onPoint={setChosen} />
    </>
  );
}
