import type { Subscription } from 'generic-resource-service-client/api-types';
import { useState } from 'preact/hooks';
import { ApiError, type Call } from '../api/client.ts';
import { type JsonMap, sameJson } from '../api/json.ts';
import { read } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { Check, TextInput } from '../components/inputs/fields.tsx';
import { eventTypes } from './event-types.ts';
import { listPath, updateCall } from './subscription.ts';

interface SubscriptionFormProps {
  readonly projectKey: string;
  /** The edited subscription; undefined for a new one. */
  readonly subscription?: Subscription;
  /** Called with the secret of a new one, which the API shows once. */
  readonly onSaved: (secret: string | undefined) => void;
  /** Called where somebody else has changed it meanwhile. */
  readonly onConflict?: () => void;
  readonly onClose: () => void;
}

interface Values {
  readonly url: string;
  readonly key: string;
  readonly description: string;
  readonly where: string;
  readonly types: readonly string[];
  readonly include: boolean;
  readonly fromOldest: boolean;
}

function valuesOf(subscription: Subscription | undefined): Values {
  const { url = '', key = '', description = '', where = '', types = [], include } = subscription ?? {};
  return { url, key, description, where, types, include: include !== undefined, fromOldest: false };
}

/** The fields that are set, as the API has them. */
function fieldsOf({ types, include, fromOldest: _, ...written }: Values) {
  const trimmed = Object.entries(written).map(([name, text]) => [name, text.trim() || undefined] as const);
  return {
    ...Object.fromEntries(trimmed),
    types: types.length === 0 ? undefined : types,
    include: include ? 'resource' : undefined,
  };
}

const present = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonMap;

/** The actions that lead from one state to another. */
function actionsOf(subscription: Subscription, values: Values): readonly JsonMap[] {
  const [before, after] = [present(fieldsOf(valuesOf(subscription))), present(fieldsOf(values))];
  return Object.keys(fieldsOf(values))
    .filter((name) => !sameJson(before[name], after[name]))
    .map((name) => {
      const value = after[name];
      const action = `set${name[0]!.toUpperCase()}${name.slice(1)}`;
      return value === undefined ? { action } : { action, [name]: value };
    });
}

/** Asks for what a subscription is: address, types, predicate. */
export function SubscriptionForm(props: SubscriptionFormProps) {
  const { projectKey, subscription, onSaved, onConflict, onClose } = props;
  const [values, setValues] = useState(valuesOf(subscription));
  const change = (next: Partial<Values>) => setValues((before) => ({ ...before, ...next }));
  const isNew = subscription === undefined;
  const heading = isNew ? texts.subscriptions.create : 'Edit the subscription';

  function request(): Call {
    if (subscription) return updateCall(projectKey, subscription, actionsOf(subscription, values));
    const from = values.fromOldest ? { from: 'oldest' } : {};
    return { method: 'POST', path: listPath(projectKey), json: { ...present(fieldsOf(values)), ...from } };
  }

  async function submit(): Promise<void> {
    if (subscription && actionsOf(subscription, values).length === 0) return onClose();
    try {
      onSaved((await read<{ readonly secret?: string }>(projectKey, request())).secret);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) onConflict?.();
      throw error;
    }
  }

  const text = (name: 'url' | 'key' | 'description' | 'where', label: string, hint?: string) => (
    <TextInput
      label={label}
      hint={hint}
      inputClass={name === 'where' || name === 'url' ? 'code' : undefined}
      inputMode={name === 'url' ? 'url' : 'text'}
      required={name === 'url'}
      spellcheck={name === 'description'}
      placeholder={name === 'url' ? 'https://example.com/hook' : name === 'where' ? 'type = "product"' : undefined}
      value={values[name]}
      onInput={(value) => change({ [name]: value })}
    />
  );

  const check = (name: 'include' | 'fromOldest', label: string) => (
    <Check label={label} isChecked={values[name]} onChange={(isChecked) => change({ [name]: isChecked })} />
  );

  return (
    <FormDialog
      label={heading}
      submit={isNew ? texts.subscriptions.create : 'Save'}
      call={request}
      isCode
      onSubmit={submit}
      onClose={onClose}
    >
      {text('url', 'Address', 'https: at a public address, unless the operator allows others (WEBHOOK_ADDRESSES)')}
      <fieldset>
        <legend>Only these types</legend>
        <div class="tiles">
          {eventTypes.map((type) => (
            <Check
              key={type}
              label={type}
              isChecked={values.types.includes(type)}
              onChange={(isChecked) =>
                change({ types: eventTypes.filter((one) => (one === type ? isChecked : values.types.includes(one))) })
              }
            />
          ))}
        </div>
        <span class="hint">None chosen: all types.</span>
      </fieldset>
      {text(
        'where',
        'Only resources that match',
        'A predicate that the resource must satisfy after the change. Empty: all resources.',
      )}
      {check('include', 'Include the resource as it is after the change')}
      {isNew && check('fromOldest', 'Start with the oldest stored change instead of the next one')}
      {text('key', 'Key')}
      {text('description', 'Note')}
    </FormDialog>
  );
}
