import { Button } from '../../components/button.tsx';
import { Select } from '../../components/inputs/choice.tsx';
import { TextInput } from '../../components/inputs/fields.tsx';
import { Problem } from '../../components/problem.tsx';
import { isAbout, type Refusal } from './draft.ts';

/** An input of a row: a text, or a choice where there are options. */
export interface Cell<Row> {
  readonly label: string;
  readonly value: string;
  readonly class?: string;
  readonly placeholder?: string;
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Places in the settings, as messages of the API name them, that it is refused for. */
  readonly places?: readonly string[];
  /** The row with another value. */
  readonly next: (value: string) => Row;
}

interface SettingRowsProps<Row> {
  readonly heading: string;
  readonly hint: string;
  readonly rows: readonly Row[];
  /** A row in which nothing is written yet. */
  readonly empty: Row;
  /** The place of a row in the settings, as messages of the API name it. */
  readonly placeOf: (row: Row, at: number) => string;
  readonly cellsOf: (row: Row, place: string) => readonly Cell<Row>[];
  readonly refusal: Refusal | undefined;
  readonly onChange: (rows: readonly Row[]) => void;
}

/** A list of settings, one row each, with what the API refuses at the row that it refuses. */
export function SettingRows<Row>(props: SettingRowsProps<Row>) {
  const { heading, hint, rows, empty, placeOf, cellsOf, refusal, onChange } = props;
  const problemOf = (place: string) => (refusal && isAbout(refusal, place) ? refusal.problem : '');
  const isOfRow = rows.some((row, at) => problemOf(placeOf(row, at)) !== '');
  const list = placeOf(empty, 0).replace(/[.[].*$/s, '');
  const set = (at: number, next: Row) => onChange(rows.map((one, other) => (other === at ? next : one)));
  return (
    <fieldset class="settings-rows">
      <legend>{heading}</legend>
      <p class="hint">{hint}</p>
      {rows.map((row, at) => (
        <div key={at} class="settings-row">
          <div class="line">
            {cellsOf(row, placeOf(row, at)).map(({ next, places = [], ...cell }) => (
              <CellInput
                key={cell.label}
                cell={cell}
                isInvalid={places.some((place) => problemOf(place) !== '')}
                onInput={(value) => set(at, next(value))}
              />
            ))}
            <Button
              label="×"
              kind="plain"
              spoken={`Remove ${heading} ${at + 1}`}
              onClick={() => onChange(rows.filter((_, other) => other !== at))}
            />
          </div>
          <Problem text={problemOf(placeOf(row, at))} />
        </div>
      ))}
      {!isOfRow && <Problem text={problemOf(list)} />}
      <button type="button" class="add" aria-label={`Add to ${heading}`} onClick={() => onChange([...rows, empty])}>
        + Add
      </button>
    </fieldset>
  );
}

interface CellInputProps {
  readonly cell: Pick<Cell<unknown>, 'label' | 'value' | 'class' | 'placeholder' | 'options'>;
  readonly isInvalid: boolean;
  readonly onInput: (value: string) => void;
}

function CellInput({ cell: { label, value, options, ...cell }, isInvalid, onInput }: CellInputProps) {
  const shown = <span class="hint">{label}</span>;
  if (!options) return <TextInput {...cell} label={shown} value={value} aria-invalid={isInvalid} onInput={onInput} />;
  return (
    <label>
      {shown}
      <Select value={value} options={options} onChoose={onInput} />
    </label>
  );
}
