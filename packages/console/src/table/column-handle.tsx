import type { TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { type ColumnWidths, narrowest, widest } from './column-widths.ts';

interface ColumnHandleProps {
  readonly column: string;
  /** All columns of the table. */
  readonly columns: readonly string[];
  readonly widths: ColumnWidths;
}

/** How far an arrow key moves the edge, in pixels; with the shift key, and without. */
const steps = { large: 64, small: 8 };

/** The edge of a column: it is dragged, moved by the arrow keys, and a double click or Enter fits the column. */
export function ColumnHandle({ column, columns, widths }: ColumnHandleProps) {
  /** While the edge is dragged: where the pointer took it, the width then, and whether it was moved since. */
  const drag = useRef<{ readonly fromX: number; readonly width: number; isMoved: boolean }>(undefined);
  const width = widths.all.value.get(column) ?? narrowest;
  const fit = (handle: Element) => widths.fit(handle.closest('table')!, columns, column);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const step = event.shiftKey ? steps.large : steps.small;
    const next = new Map([
      ['ArrowLeft', width - step],
      ['ArrowRight', width + step],
      ['Home', narrowest],
      ['End', widest],
    ]).get(event.key);
    if (event.key === 'Enter') fit(event.currentTarget);
    else if (next === undefined) return;
    else {
      widths.resize(column, next);
      widths.keep(column);
    }
    event.preventDefault();
  };
  return (
    <hr
      class="column-handle"
      // A separator that can be moved has a value and takes the focus.
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${column}`}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      aria-valuetext={`${width} pixels`}
      title="Drag to resize; double-click to fit"
      onKeyDown={onKeyDown}
      onDblClick={(event) => fit(event.currentTarget)}
      // Else the text of the head would be selected.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { fromX: event.clientX, width, isMoved: false };
      }}
      onPointerMove={(event) => {
        const begun = drag.current;
        if (!begun || (!begun.isMoved && event.clientX === begun.fromX)) return;
        begun.isMoved = true;
        widths.resize(column, begun.width + event.clientX - begun.fromX);
      }}
      onLostPointerCapture={() => {
        if (drag.current?.isMoved) widths.keep(column);
        drag.current = undefined;
      }}
    />
  );
}
