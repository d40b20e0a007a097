import type { ComponentChildren, ComponentProps } from 'preact';

interface CheckProps {
  readonly label: ComponentChildren;
  readonly isChecked: boolean;
  readonly title?: string;
  readonly onChange: (isChecked: boolean) => void;
}

/** A check box with its label. */
export function Check({ label, isChecked, title, onChange }: CheckProps) {
  return (
    <label class="check" title={title}>
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

type Attribute =
  | 'autocomplete'
  | 'inputMode'
  | 'maxLength'
  | 'name'
  | 'onChange'
  | 'onKeyDown'
  | 'pattern'
  | 'placeholder'
  | 'readOnly'
  | 'ref'
  | 'required'
  | 'spellcheck'
  | 'aria-describedby'
  | 'aria-invalid';

interface TextInputProps extends Pick<ComponentProps<'input'>, Attribute> {
  readonly label: ComponentChildren;
  readonly class?: string | undefined;
  readonly inputClass?: string | undefined;
  readonly type?: 'search';
  readonly list?: string;
  readonly value: string;
  /** Below the input. */
  readonly hint?: string | undefined;
  readonly onInput: (text: string) => void;
}

/** A line of text with its label; `class` is that of the label. */
export function TextInput({ label, class: name, inputClass, hint, onInput, ...input }: TextInputProps) {
  return (
    <label class={name}>
      {label}
      <input
        dir="auto"
        spellcheck={false}
        {...input}
        class={inputClass}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {hint !== undefined && <span class="hint">{hint}</span>}
    </label>
  );
}
