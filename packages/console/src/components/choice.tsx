interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Values with what is shown for them. */
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
}

/** A labelled choice of one of a few. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
