import type { Signal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { briefly, isNumber, type JsonMap } from '../api/json.ts';
import { addressOf, follow, go, type Place, place, setQuery } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { valueAt } from '../model/paths.ts';
import { ColumnHandle } from '../table/column-handle.tsx';
import { type ColumnWidths, createColumnWidths } from '../table/column-widths.ts';
import { Rows } from '../table/rows.tsx';

interface TableProps {
  readonly projectKey: string;
  /** The query whose results the rows are. */
  readonly question: string;
  readonly rows: readonly JsonMap[];
  readonly columns: readonly string[];
  readonly sort: string;
  /** The id of the resource that is open. */
  readonly open: string | undefined;
  readonly selected: Signal<ReadonlySet<string>>;
  readonly isLoading: boolean;
  readonly onEnd: () => void;
}

const rowHeight = 36;
/** The width of the column of check boxes. */
const selectWidth = 40;

/** Sorts by a column: ascending, descending, then by nothing. */
function nextSort(sort: string, column: string): string | undefined {
  if (sort === `${column} asc`) return `${column} desc`;
  return sort === `${column} desc` ? undefined : `${column} asc`;
}

/** Which rows are chosen. With the shift key, all rows from the one before become what this one becomes. */
function useSelection(selected: Signal<ReadonlySet<string>>) {
  const last = useRef<string>(undefined);
  return (rows: readonly JsonMap[], id: string, isRange: boolean): void => {
    const next = new Set(selected.value);
    const [from, to] = [last.current, id].map((one) => rows.findIndex((row) => row.id === one)) as [number, number];
    const many = isRange && from >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [rows[to]!];
    const isAdded = !next.has(id);
    for (const row of many) {
      if (isAdded) next.add(row.id as string);
      else next.delete(row.id as string);
    }
    last.current = id;
    selected.value = next;
  };
}

interface HeadProps extends Pick<TableProps, 'rows' | 'columns' | 'sort' | 'selected'> {
  readonly widths: ColumnWidths;
}

function TableHead({ rows, columns, sort, selected, widths }: HeadProps) {
  const [sortedBy, direction] = sort.split(' ');
  const isAll = rows.length > 0 && rows.every(({ id }) => selected.value.has(id as string));
  return (
    <tr>
      <th class="select">
        <input
          type="checkbox"
          aria-label={texts.resources.selectRow('all')}
          checked={isAll}
          onChange={() => {
            selected.value = isAll ? new Set() : new Set(rows.map(({ id }) => id as string));
          }}
        />
      </th>
      {columns.map((column) => {
        const order = column === sortedBy ? (direction === 'desc' ? 'descending' : 'ascending') : 'none';
        return (
          <th key={column} scope="col" aria-label={column} aria-sort={order}>
            <button
              type="button"
              class="plain"
              title={column}
              onClick={() => setQuery({ sort: nextSort(sort, column) }, false)}
            >
              {column}
              {/* Has its place without an order, too; as nothing at all it would not be measured. */}
              <span class="order" aria-hidden="true">
                {order === 'none' ? '\u00a0' : order === 'ascending' ? '↑' : '↓'}
              </span>
            </button>
            <ColumnHandle column={column} columns={columns} widths={widths} />
          </th>
        );
      })}
    </tr>
  );
}

interface RowProps {
  readonly document: JsonMap;
  readonly index: number;
  readonly columns: readonly string[];
  readonly to: Place;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly onToggle: (isRange: boolean) => void;
}

function ResourceRow({ document, index, columns, to, isOpen, isChosen, onToggle }: RowProps) {
  const id = document.id as string;
  /** Up and down through the rows; the space bar selects. */
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLAnchorElement>) => {
    const own = event.currentTarget.closest('tr');
    const steps: Readonly<Record<string, Element | null | undefined>> = {
      ArrowDown: own?.nextElementSibling,
      ArrowUp: own?.previousElementSibling,
    };
    if (event.key !== ' ' && !(event.key in steps)) return;
    event.preventDefault();
    if (event.key === ' ') onToggle(event.shiftKey);
    steps[event.key]?.querySelector('a')?.focus();
  };
  return (
    <tr
      class={isOpen ? 'open' : ''}
      aria-rowindex={index + 2}
      onClick={(event) => {
        if (!(event.target as Element).closest('.select, a')) go(to);
      }}
    >
      <td class="select">
        <input
          type="checkbox"
          aria-label={texts.resources.selectRow(String(document.key ?? id))}
          checked={isChosen}
          onClick={(event) => onToggle(event.shiftKey)}
        />
      </td>
      {columns.map((column, at) => {
        const value = valueAt(document, column.split('.'));
        const text = briefly(value);
        return (
          <td key={column} class={isNumber(value) ? 'number' : ''} dir="auto">
            {at === 0 ? (
              <a href={addressOf(to)} onKeyDown={onKeyDown} onClick={(event) => follow(event, to)}>
                {text === '' ? id : text}
              </a>
            ) : (
              text
            )}
            {at === 0 && document.hasStagedChanges === true && (
              <>
                {' '}
                <span class="badge">{texts.resources.staged}</span>
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** The table of resources. */
export function ResourceTable(props: TableProps) {
  const { projectKey, question, rows, columns, sort, open, selected, isLoading, onEnd } = props;
  const widths = useMemo(() => createColumnWidths(projectKey), [projectKey]);
  const toggle = useSelection(selected);
  // Read here: a row is drawn anew only when this component is.
  const [chosen, here] = [selected.value, place.value];
  const row = (index: number) => {
    const document = rows[index]!;
    const id = document.id as string;
    return (
      <ResourceRow
        key={id}
        document={document}
        index={index}
        columns={columns}
        to={{ ...here, item: id }}
        isOpen={id === open}
        isChosen={chosen.has(id)}
        onToggle={(isRange) => toggle(rows, id, isRange)}
      />
    );
  };
  return (
    <>
      <Rows
        count={rows.length}
        rowHeight={rowHeight}
        head={<TableHead rows={rows} columns={columns} sort={sort} selected={selected} widths={widths} />}
        row={row}
        label={texts.rooms.resources}
        columns={columns}
        widths={widths}
        question={question}
        lead={selectWidth}
        onEnd={onEnd}
      />
      {isLoading && (
        <p class="loading badge" role="status">
          Loading more…
        </p>
      )}
    </>
  );
}
