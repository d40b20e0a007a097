import { useEffect, useRef, useState } from 'preact/hooks';
import { isMap, type Json, type JsonMap, sameJson } from '../api/json.ts';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Form } from '../components/form.tsx';
import { TextInput } from '../components/inputs/fields.tsx';
import { DraftNotes } from '../drafts/draft-bar.tsx';
import { elementId, labelId, type Path, pathText, systemFields, valueAt } from '../model/paths.ts';
import { declaredAt, lackingIn } from '../types/hints.ts';
import { AddField } from './add-field.tsx';
import type { Editor } from './editor.ts';
import { FieldProblems, problemId, RefusedList } from './refused.tsx';
import { shapeOf } from './shapes.ts';
import { ValueInput } from './value-input.tsx';

const helpId = (path: Path): string => elementId('help', pathText(path));

/** Fields drawn at once; a document may have thousands. */
const portion = 100;
/** With more fields there is a way to find one. */
const searchableFields = 30;

/** The fields of a resource as a form, by the shape of their values. */
export function DocumentForm({ editor }: { readonly editor: Editor }) {
  const [shown, setShown] = useState(portion);
  const [wanted, setWanted] = useState('');
  const document = editor.mine.value ?? {};
  const all = Object.keys(document).filter(
    (name) => !systemFields.has(name) && declaredAt(document, [name])?.widget !== 'hidden',
  );
  const word = wanted.trim().toLowerCase();
  const names = word === '' ? all : all.filter((name) => name.toLowerCase().includes(word));
  const drawn = ['key', ...names.slice(0, shown).map((name) => pathText([name]))];
  const isShownAt = (place: string) => drawn.some((text) => place === text || place.startsWith(`${text}.`));
  const isKeyRefused = editor.refused.value.some(({ place }) => place === 'key');
  useFocusOnRefused(editor);
  return (
    <Form class="document stack" onSubmit={() => {}}>
      <RefusedList editor={editor} isShownAt={isShownAt} />
      <TextInput
        label={<span class="hint">{texts.resource.key}</span>}
        class={sameJson(document.key, editor.base.value?.key) ? 'field' : 'field edited'}
        value={(document.key as string | undefined) ?? ''}
        maxLength={256}
        readOnly={!mayWrite.value}
        aria-invalid={isKeyRefused}
        aria-describedby={isKeyRefused ? problemId(['key']) : undefined}
        onInput={(key) => editor.set(['key'], key === '' ? undefined : key)}
      />
      <FieldProblems editor={editor} path={['key']} />
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
      {mayWrite.value && (
        <AddField
          onAdd={(name, value) => editor.set([name], value)}
          taken={Object.keys(document)}
          offers={lackingIn(document, [])}
        />
      )}
    </Form>
  );
}

/** Leads to the first field that was refused; what is edited then keeps the focus. */
function useFocusOnRefused({ refused }: Editor): void {
  const count = refused.value.length;
  const before = useRef(0);
  useEffect(() => {
    const isNew = count > before.current;
    before.current = count;
    if (!isNew) return;
    const inputs = '.document :is(.field.refused, [aria-invalid="true"])';
    const first = document.querySelector<HTMLElement>(inputs);
    (first?.querySelector<HTMLElement>(':is(input, textarea, select):enabled') ?? first)?.focus();
  }, [refused.value]);
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
  const declared = declaredAt(editor.mine.value, path);
  if (declared?.widget === 'hidden') return null;
  const { title, description, isRequired } = declared ?? {};
  const isRefused = editor.refused.value.some(({ place }) => place === name);
  const written = path.at(-1) || pathText(path.slice(-1));
  const helpIds = [...(description === undefined ? [] : [helpId(path)]), ...(isRefused ? [problemId(path)] : [])];
  return (
    <div class={['field', isEdited && 'edited', isRefused && 'refused'].filter(Boolean).join(' ')}>
      <div class="between field-name">
        <span id={labelId(path)} dir="auto">
          {title === undefined ? (
            written
          ) : (
            <>
              {title} <code>{written}</code>
            </>
          )}
          {isRequired && ' (required)'}
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
      {description !== undefined && (
        <p class="hint" id={helpId(path)} dir="auto">
          {description}
        </p>
      )}
      <ValueInput
        editor={editor}
        path={path}
        value={value}
        declared={declared}
        describedBy={helpIds.length > 0 ? helpIds.join(' ') : undefined}
        isRefused={isRefused}
      />
      <FieldProblems editor={editor} path={path} />
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
        <AddField
          onAdd={(name, added) => editor.set([...path, name], added)}
          taken={Object.keys(members)}
          offers={lackingIn(editor.mine.value, path)}
        />
      )}
    </fieldset>
  );
}
