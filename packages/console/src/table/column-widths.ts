import { type ReadonlySignal, signal } from '@preact/signals';
import { store, storedList } from '../browser/stored.ts';

/** Widths in CSS pixels: as narrow and as wide as somebody can make a column. */
export const narrowest = 56;
export const widest = 1200;

/** As wide as a column gets by itself, in a wide box and in that of a phone; and as wide as when it is fitted. */
const widestAlone = { wide: 330, phone: 210 };
const phone = 736;
const widestFitted = 800;

const within = (width: number, most: number) => Math.round(Math.min(most, Math.max(narrowest, width)));

/** The width of what is in an element, were it not cut, with the padding and the border of the element. */
export function contentWidth(element: HTMLElement): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(element);
  const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd);
  const border = element.offsetWidth - element.clientWidth;
  // The browser cuts what is too wide by a part of a pixel, too.
  return Math.ceil(range.getBoundingClientRect().width + padding + border);
}

/** How wide the column at an index is by what is drawn of it. */
function drawnWidth(table: HTMLTableElement, index: number): number {
  const cells = [...table.rows].map(({ cells: own }) => own[index]);
  // In a head it is the button that is cut; the handle beside it stands out of the column.
  return Math.max(
    0,
    ...cells.map((cell) => (cell ? contentWidth(cell.querySelector<HTMLElement>('th > button') ?? cell) : 0)),
  );
}

/** The widths of the columns of one table. */
export interface ColumnWidths {
  readonly all: ReadonlySignal<ReadonlyMap<string, number>>;
  /**
   * Gives each column the width of what is drawn of it, within bounds. One that has a width keeps it, or where `grows`
   * gets wider; one that somebody gave a width keeps that.
   */
  measure(table: HTMLTableElement, columns: readonly string[], grows: boolean): void;
  /** Gives a column a width, until `keep` only for now. */
  resize(column: string, width: number): void;
  /** Gives a column the width of what is drawn of it, and keeps that. */
  fit(table: HTMLTableElement, columns: readonly string[], column: string): void;
  /** Keeps the width that a column has now, in this browser. */
  keep(column: string): void;
}

type Pair = readonly [column: unknown, width: number];
const isPair = (one: unknown): one is Pair => Array.isArray(one) && Number.isFinite(one[1]);

/** The index of a column among the cells of a row; cells before the columns have no name. */
const indexOf = (table: HTMLTableElement, columns: readonly string[], column: string) =>
  columns.indexOf(column) + (table.tHead?.rows[0]?.cells.length ?? 0) - columns.length;

/** Makes the widths of a table, of which this browser remembers under a name what somebody chose. */
export function createColumnWidths(name: string): ColumnWidths {
  const storageName = `widths-${name}`;
  const pairs = storedList(storageName, isPair);
  const chosen = new Map(pairs.map(([column, width]) => [String(column), within(width, widest)]));
  const all = signal<ReadonlyMap<string, number>>(new Map(chosen));
  const widths: ColumnWidths = {
    all,
    measure(table, columns, grows) {
      const next = new Map(all.value);
      const most = table.parentElement!.clientWidth < phone ? widestAlone.phone : widestAlone.wide;
      for (const column of columns) {
        const before = next.get(column);
        if (chosen.has(column) || (before !== undefined && !grows)) continue;
        next.set(column, Math.max(before ?? 0, within(drawnWidth(table, indexOf(table, columns, column)), most)));
      }
      all.value = next;
    },
    resize(column, width) {
      all.value = new Map(all.value).set(column, within(width, widest));
    },
    fit(table, columns, column) {
      widths.resize(column, within(drawnWidth(table, indexOf(table, columns, column)), widestFitted));
      widths.keep(column);
    },
    keep(column) {
      const width = all.value.get(column);
      if (width === undefined) return;
      chosen.set(column, width);
      store(storageName, JSON.stringify([...chosen]));
    },
  };
  return widths;
}
