import { useEffect, useState } from 'preact/hooks';
import { TextInput } from './fields.tsx';

interface KeptInputProps {
  readonly label: string;
  readonly class?: string;
  /** The value in the address. */
  readonly value: string;
  /** Called when somebody has finished writing. */
  readonly onCommit?: (text: string) => void;
  readonly name?: string;
  readonly placeholder?: string;
}

/** A labelled input for something in the address: what is being typed stays while the page around it changes. */
export function KeptInput({ label, class: className, value, onCommit, name, placeholder }: KeptInputProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      label={<span>{label}</span>}
      class={className}
      name={name}
      placeholder={placeholder}
      value={text}
      onInput={setText}
      onChange={(event) => onCommit?.(event.currentTarget.value.trim())}
    />
  );
}
