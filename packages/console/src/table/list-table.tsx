import type { ComponentChildren } from 'preact';
import { Scroll } from '../components/scroll.tsx';

/** A column of a list. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ComponentChildren;
  /**
   * `head`: what the row is of. `number`: digits below digits. `long`: a text that may break anywhere. `actions`: buttons,
   * whose name is for screen readers alone.
   */
  readonly kind?: 'head' | 'number' | 'long' | 'actions';
}

const classes = { head: '', number: 'number', long: 'wraps', actions: 'row-actions' } as const;

interface ListTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T, index: number) => string;
  readonly columns: readonly Column<T>[];
  readonly class?: string;
  /** On a phone the cells of a row stand below each other, with the names of their columns. Others scroll sideways. */
  readonly isStacked?: boolean;
}

/** A table of things that are alike, one a row. */
export function ListTable<T>({ label, rows, keyOf, columns, class: name = '', isStacked }: ListTableProps<T>) {
  return (
    <Scroll label={label} class={name}>
      <table class={isStacked ? 'stacked' : ''}>
        <thead>
          <tr>
            {columns.map(({ name: heading, kind }) => (
              <th key={heading} scope="col" class={kind && classes[kind]}>
                {kind === 'actions' ? <span class="sr">{heading}</span> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ name: heading, cell, kind }) =>
                kind === 'head' ? (
                  <th key={heading} scope="row" dir="auto">
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={heading}
                    class={kind && classes[kind]}
                    dir="auto"
                    data-label={kind === 'actions' ? undefined : heading}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
