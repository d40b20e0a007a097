import { elementId } from '../model/paths.ts';
import type { ActionField } from './schema.ts';
import { type Typed, typedValue } from './typed-value.ts';

interface FieldInputProps {
  readonly field: ActionField;
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
}

/** An input for a field of an update action, with what it means and what is wrong with what is typed. */
export function FieldInput({ field, typed, onType }: FieldInputProps) {
  const { name, kind, isRequired, description, example, choices } = field;
  const id = elementId('action-field', name);
  const result = typedValue(field, typed);
  // An untouched field is not an error.
  const problem = typed !== undefined && 'problem' in result ? result.problem : '';
  const shared = {
    id,
    'aria-describedby': `${id}-hint`,
    'aria-invalid': problem !== '',
    'aria-required': isRequired,
    placeholder: example,
    spellcheck: false,
    dir: 'auto',
  } as const;
  const text = typeof typed === 'string' ? typed : '';
  return (
    <div class="field">
      {kind === 'boolean' ? (
        <label class="check">
          <input
            id={id}
            type="checkbox"
            aria-describedby={`${id}-hint`}
            checked={typed === true}
            onChange={(event) => onType(event.currentTarget.checked)}
          />
          {name}
        </label>
      ) : (
        <label for={id}>
          {name}
          {isRequired ? '' : ' (optional)'}
        </label>
      )}
      {kind === 'choice' && (
        <select id={id} value={text} onChange={(event) => onType(event.currentTarget.value)}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
      {kind === 'json' && (
        <textarea
          {...shared}
          class="code"
          rows={3}
          value={text}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      )}
      {(kind === 'text' || kind === 'number' || kind === 'integer') && (
        <input
          {...shared}
          inputMode={kind === 'text' ? 'text' : 'decimal'}
          value={text}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      )}
      <p id={`${id}-hint`} class={problem === '' ? 'hint' : 'problem'}>
        {problem === '' ? description : problem}
      </p>
    </div>
  );
}
