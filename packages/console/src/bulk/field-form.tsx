import { useState } from 'preact/hooks';
import { type JsonMap, jsonOf } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { focus } from '../browser/focus.ts';
import { Choice, optionsOf } from '../components/inputs/choice.tsx';
import { Check, TextInput } from '../components/inputs/fields.tsx';
import { systemFields } from '../model/paths.ts';

type Kind = 'text' | 'json' | 'remove';

interface FieldFormProps {
  readonly paths: readonly string[];
  /** Undefined while something is missing. */
  readonly onChange: (actions: readonly JsonMap[] | undefined) => void;
}

interface Typed {
  readonly path: string;
  readonly kind: Kind;
  readonly text: string;
  readonly isStaged: boolean;
}

const typedValue = ({ kind, text }: Typed) => (kind === 'text' ? text : jsonOf(text));

/** The update action that a form stands for; undefined while something is missing. */
function actionOf(typed: Typed): JsonMap | undefined {
  const path = typed.path.trim();
  if (path === '' || path.split('.').some((name) => name === '') || systemFields.has(path.split('.')[0]!)) {
    return undefined;
  }
  const staged = typed.isStaged ? { staged: true } : {};
  if (typed.kind === 'remove') return { action: 'setField', path, ...staged };
  const value = typedValue(typed);
  return value === undefined || value === null ? undefined : { action: 'setField', path, value, ...staged };
}

/** Asks for a field and its new value. */
export function FieldForm({ paths, onChange }: FieldFormProps) {
  const [typed, setTyped] = useState<Typed>({ path: '', kind: 'text', text: '', isStaged: false });
  const set = (change: Partial<Typed>) => {
    const next = { ...typed, ...change };
    setTyped(next);
    const action = actionOf(next);
    onChange(action && [action]);
  };
  const isWrong = typed.kind === 'json' && typed.text.trim() !== '' && typedValue(typed) === undefined;
  return (
    <div class="stack">
      <TextInput
        label="Field (a path, such as name.en)"
        value={typed.path}
        list="bulk-paths"
        autocomplete="off"
        ref={focus}
        onInput={(path) => set({ path })}
      />
      <datalist id="bulk-paths">
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <div class="line">
        <Choice
          label="Change"
          value={typed.kind}
          options={optionsOf(texts.bulk.kinds)}
          onChoose={(kind) => set({ kind })}
        />
        {typed.kind !== 'remove' && (
          <TextInput
            label="Value"
            class="grow"
            value={typed.text}
            aria-invalid={isWrong}
            placeholder={typed.kind === 'json' ? '12.50' : ''}
            onInput={(text) => set({ text })}
          />
        )}
      </div>
      {isWrong && <p class="problem">Enter a number, true, false, or other JSON</p>}
      <Check
        label="Staged: readers see it when it is published"
        isChecked={typed.isStaged}
        onChange={(isStaged) => set({ isStaged })}
      />
    </div>
  );
}
