import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

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
