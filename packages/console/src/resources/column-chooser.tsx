import { useMemo, useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { Check, TextInput } from '../components/inputs/fields.tsx';
import { pathsIn } from '../model/columns.ts';

interface ChooserProps {
  readonly rows: readonly JsonMap[];
  readonly columns: readonly string[];
  readonly onChoose: (columns: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Chooses the columns of the table. */
export function ColumnChooser({ rows, columns, onChoose, onClose }: ChooserProps) {
  const [chosen, setChosen] = useState(columns);
  const [other, setOther] = useState('');
  const known = useMemo(() => pathsIn(rows), [rows]);
  const paths = [...new Set([...chosen, ...known])];
  const toggle = (path: string) =>
    setChosen(chosen.includes(path) ? chosen.filter((column) => column !== path) : [...chosen, path]);
  return (
    <FormDialog
      label="Columns of the table"
      submit={texts.apply}
      isBlocked={chosen.length === 0}
      onSubmit={() => onChoose(chosen)}
      onClose={onClose}
    >
      <p class="hint">Paths in the loaded rows.</p>
      <ul class="choices">
        {paths.map((path) => (
          <li key={path}>
            <Check label={<code>{path}</code>} isChecked={chosen.includes(path)} onChange={() => toggle(path)} />
          </li>
        ))}
      </ul>
      <div class="line">
        <TextInput label="Another path" class="grow" value={other} onInput={setOther} />
        <Button
          label={texts.resources.add}
          isDisabled={other.trim() === '' || chosen.includes(other.trim())}
          onClick={() => {
            setChosen([...chosen, other.trim()]);
            setOther('');
          }}
        />
      </div>
    </FormDialog>
  );
}
