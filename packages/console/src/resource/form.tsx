import { useState } from 'preact/hooks';
import { isMap, type Json, type JsonMap, sameJson } from '../api/json.ts';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Form } from '../components/form.tsx';
import { TextInput } from '../components/inputs/fields.tsx';
import { DraftNotes } from '../drafts/draft-bar.tsx';
import { labelId, type Path, pathText, systemFields, valueAt } from '../model/paths.ts';
import { AddField } from './add-field.tsx';
import type { Editor } from './editor.ts';
import { shapeOf } from './shapes.ts';
import { ValueInput } from './value-input.tsx';

/** Fields drawn at once; a document may have thousands. */
const portion = 100;
/** With more fields there is a way to find one. */
const searchableFields = 30;

/** The fields of a resource as a form, by the shape of their values. */
export function DocumentForm({ editor }: { readonly editor: Editor }) {
  const [shown, setShown] = useState(portion);
  const [wanted, setWanted] = useState('');
  const document = editor.mine.value ?? {};
  const all = Object.keys(document).filter((name) => !systemFields.has(name));
  const word = wanted.trim().toLowerCase();
  const names = word === '' ? all : all.filter((name) => name.toLowerCase().includes(word));
  return (
    <Form class="document stack" onSubmit={() => {}}>
      <TextInput
        label={<span class="hint">{texts.resource.key}</span>}
        class={sameJson(document.key, editor.base.value?.key) ? 'field' : 'field edited'}
        value={(document.key as string | undefined) ?? ''}
        maxLength={256}
        readOnly={!mayWrite.value}
        onInput={(key) => editor.set(['key'], key === '' ? undefined : key)}
      />
      {all.length > searchableFields && (
        <TextInput
          label={<span class="hint">Find a field</span>}
          class="field"
          type="search"
          value={wanted}
          onInput={(text) => {
            setWanted(text);
            setShown(portion);
          }}
        />
      )}
      {names.slice(0, shown).map((name) => (
        <Field key={name} editor={editor} path={[name]} />
      ))}
      {names.length > shown && (
        <Button
          label={`${(names.length - shown).toLocaleString('en')} more fields`}
          onClick={() => setShown(shown + portion)}
        />
      )}
      {mayWrite.value && <AddField onAdd={(name, value) => editor.set([name], value)} taken={Object.keys(document)} />}
    </Form>
  );
}

interface FieldProps {
  readonly editor: Editor;
  readonly path: Path;
}

/** A member with its name, an input for its value, and a button to remove it. */
export function Field({ editor, path }: FieldProps) {
  const value = valueAt(editor.mine.value, path);
  const isEdited = !sameJson(value, valueAt(editor.base.value, path));
  const name = pathText(path);
  if (value === undefined) return null;
  return (
    <div class={isEdited ? 'field edited' : 'field'}>
      <div class="between field-name">
        <span id={labelId(path)} dir="auto">
          {path.at(-1) || pathText(path.slice(-1))}
        </span>
        {mayWrite.value && (
          <Button
            label="×"
            kind="plain"
            spoken={texts.resource.removeField(name)}
            title={texts.resource.removeField(name)}
            onClick={() => editor.set(path, undefined)}
          />
        )}
      </div>
      <ValueInput editor={editor} path={path} value={value} />
      <DraftNotes editor={editor} path={path} isGroup={shapeOf(value, path.length) === 'object'} />
    </div>
  );
}

/** The members of an object inside the document. */
export function Group({ editor, path, value }: FieldProps & { readonly value: Json }) {
  const members: JsonMap = isMap(value) ? value : {};
  return (
    <fieldset aria-labelledby={labelId(path)}>
      {Object.keys(members).map((name) => (
        <Field key={name} editor={editor} path={[...path, name]} />
      ))}
      {mayWrite.value && (
        <AddField onAdd={(name, added) => editor.set([...path, name], added)} taken={Object.keys(members)} />
      )}
    </fieldset>
  );
}
