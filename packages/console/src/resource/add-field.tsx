import { useState } from 'preact/hooks';
import type { Json } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { focus } from '../browser/focus.ts';
import { Button } from '../components/button.tsx';
import { Choice, optionsOf } from '../components/inputs/choice.tsx';
import { TextInput } from '../components/inputs/fields.tsx';
import type { Offer } from '../types/hints.ts';
import { newValues } from './shapes.ts';

interface AddFieldProps {
  readonly taken: readonly string[];
  /** Fields that the type declares. */
  readonly offers: readonly Offer[];
  readonly onAdd: (name: string, value: Json) => void;
}

const types = Object.keys(newValues) as readonly (keyof typeof newValues)[];

/** Adds a member of a chosen type. */
export function AddField({ taken, offers, onAdd }: AddFieldProps) {
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
  const take = (field: string, value: Json) => {
    onAdd(field, value);
    setName('');
    setOpen(false);
  };
  const add = () => {
    if (trimmed !== '' && !taken.includes(trimmed)) take(trimmed, newValues[type]);
  };
  return (
    <div class="line add">
      {offers.length > 0 && (
        <fieldset class="line offers" aria-label="Fields of its type">
          {offers.map(({ name: field, title, isRequired, value }) => (
            <Button
              key={field}
              label={`+ ${title === undefined ? field : `${title} (${field})`}${isRequired ? ', required' : ''}`}
              onClick={() => take(field, value)}
            />
          ))}
        </fieldset>
      )}
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
