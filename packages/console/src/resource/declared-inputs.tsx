import type { ComponentProps } from 'preact';
import { type Json, sameJson, writeJson } from '../api/json.ts';
import { mayWrite } from '../app/session.ts';

/** Inputs for fields whose type says more than their value. */

interface ChoiceInputProps {
  readonly named: ComponentProps<'select'>;
  readonly value: Json;
  readonly allowed: readonly Json[];
  readonly onChange: (value: Json) => void;
}

const labelOf = (value: Json): string => (typeof value === 'string' && value !== '' ? value : writeJson(value));

/** A choice of one of the allowed values; one that is stored but not allowed is kept until another is chosen. */
export function ChoiceInput({ named, value, allowed, onChange }: ChoiceInputProps) {
  const chosen = allowed.findIndex((one) => sameJson(one, value));
  return (
    <select
      {...named}
      value={String(chosen)}
      onChange={(event) => onChange(allowed[Number(event.currentTarget.value)]!)}
    >
      {chosen < 0 && (
        <option value="-1" disabled>
          {labelOf(value)} (not allowed)
        </option>
      )}
      {allowed.map((one, at) => (
        <option key={labelOf(one)} value={String(at)}>
          {labelOf(one)}
        </option>
      ))}
    </select>
  );
}

interface ColorInputProps {
  readonly label: ComponentProps<'input'>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A colour: its text, and a picker for those of the form `#1f51c4`. */
export function ColorInput({ label, value, onChange }: ColorInputProps) {
  return (
    <div class="line colour">
      <input {...label} class="grow" value={value} onInput={(event) => onChange(event.currentTarget.value)} />
      {mayWrite.value && (
        <input
          type="color"
          aria-label="Choose a colour"
          value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#000000'}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
