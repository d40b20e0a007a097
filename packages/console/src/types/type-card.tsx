import type { UniqueState } from 'generic-resource-service-client/api-types';
import { briefly, type Json } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { type Column, ListTable } from '../table/list-table.tsx';
import { allFields, allowedText, type DeclaredField, typeText } from './fields.ts';
import { type ProjectTypes, titleOf, whereType } from './project-types.ts';

const columns: readonly Column<DeclaredField>[] = [
  {
    name: texts.resource.field,
    kind: 'head',
    cell: ({ path, title }) => (
      <>
        {title !== undefined && `${title} `}
        <code>{path}</code>
      </>
    ),
  },
  { name: 'Type', cell: typeText },
  { name: 'Required', cell: ({ isRequired }) => (isRequired ? 'yes' : '') },
  { name: 'Allowed', kind: 'long', cell: allowedText },
  { name: 'Description', cell: ({ description = '' }) => description },
];

const states = {
  building: { badge: 'badge', text: 'building', about: 'The values of existing resources are being collected.' },
  active: { badge: 'badge good', text: 'active', about: '' },
  conflicting: { badge: 'badge warn', text: 'conflicting', about: '' },
} as const;

interface CardProps {
  readonly projectKey: string;
  readonly types: ProjectTypes;
  readonly name: string;
  /** Has the service look again whether values are unique; undefined for who may not. */
  readonly onAgain: (() => void) | undefined;
}

/** A type: its fields, unique values and references. */
export function TypeCard({ projectKey, types, name, onAgain }: CardProps) {
  const definition = types.types[name]!;
  const title = titleOf(name, definition);
  const fields = allFields(definition);
  const unique = types.unique.filter(({ type }) => type === name);
  const references = Object.entries(definition.references);
  const query = new URLSearchParams({ where: whereType(types, name) });
  return (
    <section aria-label={title}>
      <div class="bar">
        <h2 dir="auto">
          {title} <code>{name}</code>
        </h2>
        <PlaceLink to={{ projectKey, room: 'resources', query }}>{`Resources of ${title}`}</PlaceLink>
      </div>
      {fields.length === 0 ? (
        <p class="hint">Its schema names no fields.</p>
      ) : (
        <ListTable label={`Fields of ${title}`} rows={fields} keyOf={({ path }) => path} columns={columns} isStacked />
      )}
      {unique.map((state) => (
        <Unique key={state.path} projectKey={projectKey} unique={state} onAgain={onAgain} />
      ))}
      {references.map(([path, { type, onDelete }]) => (
        <p key={path}>
          <code>{path}</code> refers to <strong>{type}</strong>
          <span class="hint">
            {onDelete === 'keep' ? ', which can be deleted' : ', which is not deleted while others refer to it'}
          </span>
        </p>
      ))}
    </section>
  );
}

interface UniqueProps extends Pick<CardProps, 'projectKey' | 'onAgain'> {
  readonly unique: UniqueState;
}

/** A path with unique values, with its state; where it has conflicts, the values and who has them. */
function Unique({ projectKey, unique, onAgain }: UniqueProps) {
  const { path, state, conflicts = 0, examples = [] } = unique;
  const { badge, text, about } = states[state];
  return (
    <>
      <p>
        <code>{path}</code> is unique <span class={badge}>{text}</span> <span class="hint">{about}</span>
      </p>
      {state === 'conflicting' && (
        <div class="card">
          <p>
            {conflicts === 1 ? '1 value is' : `${conflicts.toLocaleString('en')} values are`} in several resources, so
            that nothing is refused yet. Correct them, and enforce it again.
          </p>
          <ul class="referrers">
            {examples.map(({ value, ids }) => (
              <li key={briefly(value as Json)} class="line">
                <code dir="auto">{briefly(value as Json)}</code>
                {ids.map((id) => (
                  <PlaceLink key={id} to={{ projectKey, room: 'resources', item: id, query: new URLSearchParams() }}>
                    {id}
                  </PlaceLink>
                ))}
              </li>
            ))}
          </ul>
          {onAgain && <Button label={`Enforce ${path} again`} onClick={onAgain} />}
        </div>
      )}
    </>
  );
}
