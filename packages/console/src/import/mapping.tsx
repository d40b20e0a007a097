import { texts } from '../app/texts.ts';
import { optionsOf, Select } from '../components/inputs/choice.tsx';
import { ListTable } from '../table/list-table.tsx';
import { type Column, columnTypes, plainCell, type RawRecord } from './csv.ts';

interface MappingProps {
  readonly columns: readonly Column[];
  /** The first records of the file. */
  readonly examples: readonly RawRecord[];
  readonly isDisabled: boolean;
  readonly onChange: (columns: readonly Column[]) => void;
}

/** Maps each column to a field and a type. */
export function Mapping({ columns, examples, isDisabled, onChange }: MappingProps) {
  const set = (at: number, change: Partial<Column>) =>
    onChange(columns.map((column, index) => (index === at ? { ...column, ...change } : column)));
  const isLeftOut = ({ path }: Column) => isDisabled || path === '';
  return (
    <ListTable
      label="Columns of the file"
      class="mapping tall"
      rows={columns}
      keyOf={({ name }, at) => `${at}-${name}`}
      columns={[
        {
          name: 'Take',
          cell: ({ name, path }, at) => (
            <input
              type="checkbox"
              aria-label={`Take ${name}`}
              checked={path !== ''}
              disabled={isDisabled}
              onChange={() => set(at, { path: path === '' ? name || `column${at + 1}` : '' })}
            />
          ),
        },
        { name: 'Column', kind: 'head', cell: ({ name }) => name },
        {
          name: 'Field',
          cell: (column, at) => (
            <input
              aria-label={`Field of ${column.name}`}
              value={column.path}
              disabled={isLeftOut(column)}
              spellcheck={false}
              onInput={({ currentTarget: { value } }) => {
                // An empty name would take the column out while it is being typed.
                if (value !== '') set(at, { path: value });
              }}
            />
          ),
        },
        {
          name: 'Read as',
          cell: (column, at) => (
            <Select
              label={`Type of ${column.name}`}
              value={column.type}
              options={optionsOf(texts.import.types, columnTypes)}
              isDisabled={isLeftOut(column) || column.path === 'id' || column.path === 'key'}
              onChoose={(type) => set(at, { type })}
            />
          ),
        },
        {
          name: texts.import.examples,
          classOf: () => 'examples cut hint',
          cell: (_, at) => examples.map(({ cells }) => plainCell(cells[at] ?? '').slice(0, 40)).join(' · '),
        },
      ]}
    />
  );
}
