import { useState } from 'preact/hooks';
import { type Call, pathOf, send } from '../api/client.ts';
import type { Json, JsonMap } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { Choice } from '../components/inputs/choice.tsx';
import { Problem } from '../components/problem.tsx';
import { differences, pathText } from '../model/paths.ts';
import { useRead } from '../model/use-read.ts';
import type { Editor } from '../resource/editor.ts';
import { DifferenceTable } from '../table/difference-table.tsx';
import { FieldInput } from './field-input.tsx';
import { actionForms } from './schema.ts';
import { type Typed, typedValue } from './typed-value.ts';

interface ActionDialogProps {
  readonly editor: Editor;
  readonly projectKey: string;
  readonly onClose: () => void;
}

/** The update actions of this service, from its own documentation. */
const loadForms = async (signal: AbortSignal) =>
  actionForms((await send({ path: '/openapi.json', signal }, undefined)).body as JsonMap);

interface Done {
  readonly action: string;
  readonly before: JsonMap;
  readonly after: JsonMap;
}

/** Runs an update action, one of the operator’s own too, with a form by its schema, and shows what it changed. */
export function ActionDialog({ editor, projectKey, onClose }: ActionDialogProps) {
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<Readonly<Record<string, Typed>>>({});
  const [done, setDone] = useState<Done>();
  const { value: forms, problem } = useRead(loadForms, 'forms');

  const form = forms?.find((one) => one.name === name);
  const results = form?.fields.map((field) => [field.name, typedValue(field, typed[field.name])] as const) ?? [];
  const isWhole = form !== undefined && results.every(([, result]) => !('problem' in result));
  const stored = editor.current.value;
  const draftNames = editor.drafts.value.map(({ path }) => pathText(path)).join(', ');
  const action = (): JsonMap => {
    const values = results.flatMap(([field, result]): (readonly [string, Json])[] =>
      'value' in result && result.value !== undefined ? [[field, result.value]] : [],
    );
    return { action: name, ...Object.fromEntries(values) };
  };
  const request = (): Call => ({
    method: 'POST',
    path: pathOf(projectKey, 'resource', stored!.id as string),
    json: { version: stored!.version!, actions: [action()] },
  });

  async function run(): Promise<void> {
    const before = stored!;
    setDone(undefined);
    const after = await editor.run(action());
    setDone({ action: name, before, after });
  }

  const choose = (next: string) => {
    setName(next);
    setTyped({});
    setDone(undefined);
  };
  const options = [
    ['', forms ? 'Choose an action' : texts.loading] as const,
    ...(forms ?? []).map((one) => [one.name, one.name] as const),
  ];
  return (
    <FormDialog
      label="Run an update action"
      subject={name}
      submit="Run"
      isBlocked={!isWhole || editor.isBusy.value}
      close={texts.close}
      call={isWhole ? request : undefined}
      onSubmit={run}
      onClose={onClose}
    >
      <Problem text={problem} />
      <Choice label="Action" value={name} options={options} onChoose={choose} />
      {form && <p class="hint">{form.description}</p>}
      {draftNames !== '' && (
        <p class="hint">
          Drafts: {draftNames}. An action that is not staged changes a draft of its field as well; Undo brings it back.
        </p>
      )}
      {form?.fields.map((field) => (
        <FieldInput
          key={`${name}-${field.name}`}
          field={field}
          typed={typed[field.name]}
          onType={(value) => setTyped({ ...typed, [field.name]: value })}
        />
      ))}
      {done && <Result {...done} />}
    </FormDialog>
  );
}

function Result({ action, before, after }: Done) {
  const changes = differences(before, after);
  return (
    <div role="status">
      <p>
        <strong>{`${action} is done: version ${after.version}`}</strong>
      </p>
      {changes.length === 0 ? (
        <p class="hint">No published field has changed.</p>
      ) : (
        <DifferenceTable lines={changes} before="Before" after="After" />
      )}
    </div>
  );
}
