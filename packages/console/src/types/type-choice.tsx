import type { JsonMap } from '../api/json.ts';
import { focus } from '../browser/focus.ts';
import { systemFields } from '../model/paths.ts';
import { emptyValue, membersOf } from './fields.ts';
import { type ProjectTypes, titleOf } from './project-types.ts';

interface ChoiceProps {
  readonly types: ProjectTypes;
  /** Called with the fields to begin with. */
  readonly onChoose: (document: JsonMap) => void;
}

/** A document of a type: its name, and the fields that it requires. */
function beginning({ discriminator, types }: ProjectTypes, name: string): JsonMap {
  const required = membersOf(types[name]!, []).filter(
    (field) => field.isRequired && field.name !== discriminator && !systemFields.has(field.name),
  );
  const fields = required.map((field) => [field.name, emptyValue(types[name]!, field)]);
  return { [discriminator]: name, ...Object.fromEntries(fields) };
}

/** Asks which type a new resource is of. */
export function TypeChoice({ types, onChoose }: ChoiceProps) {
  return (
    <div class="panel-body">
      <h2>Choose its type</h2>
      <ul class="stack">
        {Object.entries(types.types).map(([name, definition], at) => (
          <li key={name}>
            <button
              type="button"
              class="between type-choice"
              ref={at === 0 ? focus : null}
              onClick={() => onChoose(beginning(types, name))}
            >
              <span dir="auto">{titleOf(name, definition)}</span> <code>{name}</code>
            </button>
          </li>
        ))}
        {!types.closed && (
          <li>
            <button type="button" class="between type-choice" onClick={() => onChoose({})}>
              <span>Without a type</span>
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}
