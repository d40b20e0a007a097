import type { ComponentChildren } from 'preact';
import { Scroll } from '../components/scroll.tsx';

/** A column of a list. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T, index: number) => ComponentChildren;
  /**
   * `head`: what the row is of. `number`: digits below digits. `long`: a text that may break anywhere. `actions`: buttons,
   * whose name is for screen readers alone.
   */
  readonly kind?: 'head' | 'number' | 'long' | 'actions';
  readonly classOf?: (row: T) => string | undefined;
}

const classes = { head: undefined, number: 'number', long: 'wraps', actions: 'row-actions' } as const;

interface TableProps<T> {
  readonly rows: readonly T[];
  readonly keyOf: (row: T, index: number) => string;
  readonly columns: readonly Column<T>[];
  readonly class?: string | undefined;
  readonly rowClassOf?: (row: T) => string | undefined;
  /** In place of the names of the columns. */
  readonly caption?: string | undefined;
  /** Rows at the end. */
  readonly foot?: ComponentChildren;
}

/** A table of things that are alike, one a row. */
export function Table<T>({ rows, keyOf, columns, class: name, rowClassOf, caption, foot }: TableProps<T>) {
  return (
    <table class={name}>
      {caption === undefined ? (
        <thead>
          <tr>
            {columns.map(({ name: heading, kind }) => (
              <th key={heading} scope="col" class={kind && classes[kind]}>
                {kind === 'actions' ? <span class="sr">{heading}</span> : heading}
              </th>
            ))}
          </tr>
        </thead>
      ) : (
        <caption>{caption}</caption>
      )}
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)} class={rowClassOf?.(row)}>
            {columns.map(({ name: heading, cell, kind, classOf }) =>
              kind === 'head' ? (
                <th key={heading} scope="row" dir="auto">
                  {cell(row, index)}
                </th>
              ) : (
                <td
                  key={heading}
                  class={kind ? classes[kind] : classOf?.(row)}
                  dir="auto"
                  data-label={kind === 'actions' ? undefined : heading}
                >
                  {cell(row, index)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
      {foot !== undefined && <tfoot>{foot}</tfoot>}
    </table>
  );
}

interface ListTableProps<T> extends TableProps<T> {
  readonly label: string;
  /** On a phone the cells of a row stand below each other, with the names of their columns. Others scroll sideways. */
  readonly isStacked?: boolean;
}

/** A table that scrolls by itself; `class` is that of what scrolls. */
export function ListTable<T>({ label, class: name, isStacked, ...table }: ListTableProps<T>) {
  return (
    <Scroll label={label} class={name}>
      <Table {...table} class={isStacked ? 'stacked' : undefined} />
    </Scroll>
  );
}
