import { texts } from '../app/texts.ts';
import { download } from '../browser/download.ts';
import { Button } from '../components/button.tsx';
import { type Column, ListTable } from './list-table.tsx';

interface RefusalsProps<T> {
  readonly rows: readonly T[];
  /** How many there are, of which `rows` are the first. */
  readonly count?: number;
  readonly keyOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  /** Files that somebody can save: the label of the button, the name, and the lines. */
  readonly files: readonly (readonly [label: string, name: string, lines: () => readonly string[]])[];
}

const shownAtMost = 100;

/** What was refused, and why: the first ones in a table, all of them in files. */
export function Refusals<T>({ rows, count = rows.length, keyOf, columns, files }: RefusalsProps<T>) {
  const label = texts.import.refused;
  return (
    <>
      <ListTable
        class="refusals tall"
        label={label}
        rows={rows.slice(0, shownAtMost)}
        keyOf={keyOf}
        columns={columns}
      />
      {count > shownAtMost && <p class="hint">{texts.bulk.more(count - shownAtMost)}</p>}
      <div class="line">
        {files.map(([name, file, lines]) => {
          const type = file.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson';
          return <Button key={file} label={name} onClick={() => download([`${lines().join('\n')}\n`], file, type)} />;
        })}
      </div>
    </>
  );
}
