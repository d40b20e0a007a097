import { useState } from 'preact/hooks';
import type { Json } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { focus } from '../browser/focus.ts';
import { Button } from '../components/button.tsx';
import { Choice, optionsOf } from '../components/inputs/choice.tsx';
import { TextInput } from '../components/inputs/fields.tsx';
import { newValues } from './shapes.ts';

interface AddFieldProps {
  readonly taken: readonly string[];
  readonly onAdd: (name: string, value: Json) => void;
}

const types = Object.keys(newValues) as readonly (keyof typeof newValues)[];

/** Adds a member of a chosen type. */
export function AddField({ taken, onAdd }: AddFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [type, setType] = useState<keyof typeof newValues>('text');
  if (!isOpen) {
    return (
      <button type="button" class="plain add" onClick={() => setOpen(true)}>
        + Add a field
      </button>
    );
  }
  const trimmed = name.trim();
  const add = () => {
    if (trimmed === '' || taken.includes(trimmed)) return;
    onAdd(trimmed, newValues[type]);
    setName('');
    setOpen(false);
  };
  return (
    <div class="line add">
      <TextInput
        label="Name"
        class="grow"
        value={name}
        ref={focus}
        onInput={setName}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Choice label="Type" value={type} options={optionsOf(texts.resource.types, types)} onChoose={setType} />
      <Button label={texts.resources.add} isDisabled={trimmed === '' || taken.includes(trimmed)} onClick={add} />
      <Button label={texts.cancel} kind="plain" onClick={() => setOpen(false)} />
    </div>
  );
}
