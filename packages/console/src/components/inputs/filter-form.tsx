import type { ComponentChildren } from 'preact';
import { place, setQuery } from '../../app/router.ts';
import { texts } from '../../app/texts.ts';
import { Button } from '../button.tsx';
import { Form } from '../form.tsx';
import { Choice } from './choice.tsx';
import { KeptInput } from './kept-input.tsx';

/** A part of a filter, by its name in the address. */
interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  /** The choices, the value for all first. Absent: a text field. */
  readonly options?: readonly (readonly [value: string, label: string])[];
}

interface FilterFormProps {
  readonly fields: readonly FilterField[];
  /** At the end of the line. */
  readonly children?: ComponentChildren;
}

/** A filter that is in the address of the page: what is chosen holds at once, what is written when it is applied. */
export function FilterForm({ fields, children }: FilterFormProps) {
  const { query } = place.value;
  const isFiltered = fields.some(({ name }) => query.has(name));
  return (
    <Form
      class="filter"
      onSubmit={(form) => {
        const written = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
        setQuery(Object.fromEntries(written), false);
      }}
    >
      {fields.map(({ name, label, placeholder, options }) =>
        options ? (
          <Choice
            key={name}
            label={label}
            value={query.get(name) ?? ''}
            options={options}
            onChoose={(value) => setQuery({ [name]: value }, false)}
          />
        ) : (
          <KeptInput
            key={name}
            label={label}
            name={name}
            value={query.get(name) ?? ''}
            {...(placeholder !== undefined && { placeholder })}
          />
        ),
      )}
      <Button isSubmit label={texts.apply} />
      {isFiltered && (
        <Button
          label={texts.clearFilters}
          kind="plain"
          onClick={() => setQuery(Object.fromEntries(fields.map(({ name }) => [name, undefined])), false)}
        />
      )}
      {children}
    </Form>
  );
}
