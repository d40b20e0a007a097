import type { ComponentChildren } from 'preact';
import { Button } from '../../components/button.tsx';
import { isAbout, type Refusal } from './draft.ts';

interface RowsProps<Row> {
  readonly heading: string;
  readonly hint: string;
  readonly rows: readonly Row[];
  /** A row in which nothing is written yet. */
  readonly empty: Row;
  /** The place of a row in the settings, as messages of the API name it. */
  readonly placeOf: (row: Row, at: number) => string;
  readonly refusal: Refusal | undefined;
  readonly onChange: (rows: readonly Row[]) => void;
  readonly children: (row: Row, change: (next: Partial<Row> | Row) => void, at: number) => ComponentChildren;
}

/** A list of settings, one row each, with what the API refuses at the row that it refuses. */
export function SettingRows<Row>(props: RowsProps<Row>) {
  const { heading, hint, rows, empty, placeOf, refusal, onChange, children } = props;
  const isWhole = refusal !== undefined && !rows.some((row, at) => isAbout(refusal, placeOf(row, at)));
  const list = placeOf(empty, 0).replace(/[.[].*$/s, '');
  return (
    <fieldset class="settings-rows">
      <legend>{heading}</legend>
      <p class="hint">{hint}</p>
      {rows.map((row, at) => {
        const problem = refusal && isAbout(refusal, placeOf(row, at)) ? refusal.problem : undefined;
        return (
          <div key={at} class="settings-row">
            <div class="line">
              {children(
                row,
                (next) =>
                  onChange(
                    rows.map((one, other) =>
                      other !== at ? one : typeof next === 'object' ? { ...row, ...next } : (next as Row),
                    ),
                  ),
                at,
              )}
              <Button
                label="×"
                kind="plain"
                spoken={`Remove ${heading} ${at + 1}`}
                onClick={() => onChange(rows.filter((_, other) => other !== at))}
              />
            </div>
            {problem !== undefined && (
              <p class="problem" role="alert">
                {problem}
              </p>
            )}
          </div>
        );
      })}
      {isWhole && isAbout(refusal, list) && (
        <p class="problem" role="alert">
          {refusal.problem}
        </p>
      )}
      <button type="button" class="add" aria-label={`Add to ${heading}`} onClick={() => onChange([...rows, empty])}>
        + Add
      </button>
    </fieldset>
  );
}
