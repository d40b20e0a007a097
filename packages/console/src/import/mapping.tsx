import { texts } from '../app/texts.ts';
import { optionsOf, Select } from '../components/inputs/choice.tsx';
import { Scroll } from '../components/scroll.tsx';
import { type Column, columnTypes, plainCell, type RawRecord } from './csv.ts';

interface MappingProps {
  readonly columns: readonly Column[];
  /** The first records of the file. */
  readonly examples: readonly RawRecord[];
  readonly isDisabled: boolean;
  readonly onChange: (columns: readonly Column[]) => void;
}

/** What becomes of each column: the field, and how its cells are read. */
export function Mapping({ columns, examples, isDisabled, onChange }: MappingProps) {
  const set = (at: number, change: Partial<Column>) =>
    onChange(columns.map((column, index) => (index === at ? { ...column, ...change } : column)));
  return (
    <Scroll class="mapping" label={texts.import.columns}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.import.take}</th>
            <th scope="col">{texts.import.column}</th>
            <th scope="col">{texts.import.field}</th>
            <th scope="col">{texts.import.type}</th>
            <th scope="col">{texts.import.examples}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, at) => (
            <tr key={`${at}-${column.name}`}>
              <td>
                <input
                  type="checkbox"
                  aria-label={texts.import.takeColumn(column.name)}
                  checked={column.path !== ''}
                  disabled={isDisabled}
                  onChange={() => set(at, { path: column.path === '' ? column.name || `column${at + 1}` : '' })}
                />
              </td>
              <th scope="row" dir="auto">
                {column.name}
              </th>
              <td>
                <input
                  aria-label={texts.import.fieldOf(column.name)}
                  value={column.path}
                  disabled={isDisabled || column.path === ''}
                  spellcheck={false}
                  onInput={(event) => {
                    // An empty name would take the column out while it is being typed.
                    if (event.currentTarget.value !== '') set(at, { path: event.currentTarget.value });
                  }}
                />
              </td>
              <td>
                <Select
                  label={texts.import.typeOf(column.name)}
                  value={column.type}
                  options={optionsOf(texts.import.types, columnTypes)}
                  isDisabled={isDisabled || column.path === '' || column.path === 'id' || column.path === 'key'}
                  onChoose={(type) => set(at, { type })}
                />
              </td>
              <td class="examples" dir="auto">
                {examples.map(({ cells }) => plainCell(cells[at] ?? '').slice(0, 40)).join(' · ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
