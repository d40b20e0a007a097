import type { ComponentChildren, TargetedPointerEvent, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ColumnWidths, contentWidth, narrowest } from './column-widths.ts';

interface RowsProps {
  readonly count: number;
  readonly rowHeight: number;
  /** Draws a row. Another function, rather than other results of the same one, has the rows in view drawn anew. */
  readonly row: (index: number) => VNode;
  /** Above the rows; stays in view. */
  readonly head: ComponentChildren;
  readonly label: string;
  readonly columns: readonly string[];
  readonly widths: ColumnWidths;
  /** The query of the rows: those of another query may make columns wider. */
  readonly question: string;
  /** The width in pixels of what is before the first column. */
  readonly lead: number;
  /** Called while the last rows are in view, again and again: to be ignored where nothing follows or it is under way. */
  readonly onEnd: () => void;
}

/** Rows above and below the view that are drawn as well, so that quick scrolling shows no gap. */
const margin = 12;

/** The columns as wide as they are now: an edge that is dragged draws this anew, and no row. */
function Columns({ columns, widths, lead }: Pick<RowsProps, 'columns' | 'widths' | 'lead'>) {
  return (
    <colgroup>
      <col style={{ width: `${lead}px` }} />
      {columns.map((column) => (
        <col key={column} style={{ width: `${widths.all.value.get(column) ?? narrowest}px` }} />
      ))}
    </colgroup>
  );
}

/** Shows all of a value that is cut as a tooltip of its cell. */
function showWhole({ target }: TargetedPointerEvent<HTMLElement>): void {
  const cell = (target as Element).closest('td');
  if (cell) cell.title = contentWidth(cell) > cell.clientWidth + 1 ? cell.innerText : '';
}

/** A table of which only the rows in view are in the page. Its columns do not change their widths as it scrolls. */
export function Rows({ count, rowHeight, row, head, label, columns, widths, question, lead, onEnd }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const answered = useRef<string>(undefined);
  const drawn = useRef<{ readonly row: RowsProps['row']; readonly nodes: ReadonlyMap<number, VNode> }>(undefined);
  const [view, setView] = useState({ top: 0, height: 900 });
  // The answer to another question begins with its first row.
  const isOther = count > 0 && answered.current !== undefined && answered.current !== question;
  const viewTop = isOther ? 0 : view.top;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // A scroll by less than a row changes nothing: the same rows are drawn.
    const measure = () => {
      const top = Math.floor(element.scrollTop / rowHeight) * rowHeight;
      const height = Math.ceil(element.clientHeight / rowHeight + 1) * rowHeight;
      setView((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  // Before the browser paints: columns that are shown have their widths.
  useLayoutEffect(() => {
    if (count === 0 || !table.current || !box.current) return;
    if (isOther) {
      box.current.scrollTop = 0;
      setView((before) => ({ ...before, top: 0 }));
    }
    widths.measure(table.current, columns, answered.current !== question);
    answered.current = question;
  }, [columns.join(), question, count > 0, widths]);
  const first = Math.max(0, Math.floor(viewTop / rowHeight) - margin);
  const last = Math.min(count, Math.ceil((viewTop + view.height) / rowHeight) + margin);
  // After each drawing: where the end came into view while something else was loaded, what follows is asked for now. At
  // once: later, rows that are not drawn yet may have moved the end out of view.
  useLayoutEffect(() => {
    if (last >= count - margin) onEnd();
  });
  const indices = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  // Unchanged nodes are skipped: scrolling draws only the rows that come into view.
  const before = drawn.current?.row === row ? drawn.current.nodes : undefined;
  const nodes = new Map(indices.map((index) => [index, before?.get(index) ?? row(index)]));
  drawn.current = { row, nodes };
  return (
    <div class="rows" ref={box}>
      <table ref={table} aria-label={label} aria-rowcount={count + 1} aria-colcount={columns.length}>
        <Columns columns={columns} widths={widths} lead={lead} />
        <thead>{head}</thead>
        <tbody onPointerOver={showWhole}>
          {first > 0 && (
            <tr class="spacer">
              <td style={{ height: `${first * rowHeight}px`, padding: 0 }} />
            </tr>
          )}
          {[...nodes.values()]}
          {last < count && (
            <tr class="spacer">
              <td style={{ height: `${(count - last) * rowHeight}px`, padding: 0 }} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
