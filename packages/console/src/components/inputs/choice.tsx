type Options<T> = readonly (readonly [value: T, label: string])[];

interface SelectProps<T extends string> {
  readonly value: T;
  /** Values with what is shown for them. */
  readonly options: Options<T>;
  readonly label?: string;
  readonly isDisabled?: boolean;
  readonly onChoose: (value: T) => void;
}

/** A choice of one of a few, inside of a label or with one for screen readers. */
export function Select<T extends string>({ value, options, label, isDisabled, onChoose }: SelectProps<T>) {
  return (
    <select
      value={value}
      aria-label={label}
      disabled={isDisabled}
      onChange={(event) => onChoose(event.currentTarget.value as T)}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The options of a table of names, all of them or in the order of `values`. */
export function optionsOf<T extends string>(
  names: Readonly<Record<T, string>>,
  values: readonly T[] = Object.keys(names) as T[],
): Options<T> {
  return values.map((value) => [value, names[value]!]);
}

interface ChoiceProps<T extends string> extends SelectProps<T> {
  readonly label: string;
}

/** A labelled choice of one of a few. */
export function Choice<T extends string>({ label, ...props }: ChoiceProps<T>) {
  return (
    <label>
      <span>{label}</span>
      <Select {...props} />
    </label>
  );
}
