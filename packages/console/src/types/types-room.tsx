import { type Call, pathOf } from '../api/client.ts';
import { writeJson } from '../api/json.ts';
import { notifyError } from '../app/notices.tsx';
import { scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { MergeDialog } from '../components/dialogs/merge-dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { EditorField } from '../editor/editor-field.tsx';
import { Check } from './check.tsx';
import { settingsOf, typesPath } from './project-types.ts';
import { TypeCard } from './type-card.tsx';
import { exampleTypes, useTypeSettings } from './use-type-settings.ts';

type Settings = ReturnType<typeof useTypeSettings>;

/** The room of types: what the types of the project declare, and an editor of them. */
export function Types({ projectKey }: { readonly projectKey: string }) {
  const room = useTypeSettings(projectKey);
  const { base, text, problem, theirs } = room;
  const mayManage = scopes.value.has('manage_project');
  const names = Object.keys(base?.types ?? {});
  const shownCall = (): Call => (text === undefined ? { path: typesPath(projectKey) } : room.saveCall());
  const checkCall = (): Call => {
    if (text === undefined) return { path: pathOf(projectKey, 'settings', 'types', 'violations') };
    const body = new Blob([writeJson(room.edited())], { type: 'application/json' });
    return { method: 'PUT', path: typesPath(projectKey), query: new URLSearchParams({ dryRun: 'true' }), body };
  };
  return (
    <div class="page types">
      <div class="bar">
        <h1>{texts.rooms.types}</h1>
        <span class={base ? 'badge' : 'badge reserved'}>
          {base?.version === 0 ? 'none yet' : texts.resource.version(String(base?.version ?? 0))}
        </span>
        <span class="space" />
        {base && <CopyAs call={shownCall} />}
        {base && mayManage && text === undefined && names.length > 0 && (
          <Button label="Edit as JSON" kind="main" onClick={() => room.edit(writeJson(settingsOf(base), 2))} />
        )}
      </div>
      <p class="hint">
        A resource whose field <code>{base?.discriminator ?? 'type'}</code> names a type must fit it, whoever writes it.{' '}
        {base?.closed ? 'Every resource names one.' : 'Other resources are free.'} New types refuse nothing that is
        stored; the next write of a resource must fit.
      </p>
      {base && text !== undefined && <EditorField text={text} refusal={room.refusal} onChange={room.edit} />}
      <Problem text={problem} />
      {base && (text !== undefined || names.length > 0) && (
        <Check key={`${base.version} ${text ?? ''}`} projectKey={projectKey} call={checkCall} onRefused={room.refuse} />
      )}
      {base && text !== undefined && <SaveBar room={room} />}
      {base && text === undefined && names.length === 0 && (
        <div class="empty">
          <h2>This project has no types.</h2>
          <p>
            Every field of a resource is free. Declare types when several people or programs write: which fields a
            product has, which of them are required, which values are unique, and what it refers to. The form of a
            resource then offers its fields, and the service refuses what does not fit.
          </p>
          {mayManage && (
            <div class="actions">
              <Button
                label="Begin with an example"
                kind="main"
                onClick={() => room.edit(writeJson(settingsOf(exampleTypes), 2))}
              />
            </div>
          )}
        </div>
      )}
      {base &&
        text === undefined &&
        names.map((name) => (
          <TypeCard
            key={name}
            projectKey={projectKey}
            types={base}
            name={name}
            onAgain={mayManage ? () => room.save().catch(notifyError) : undefined}
          />
        ))}
      {theirs && base && <Theirs room={room} />}
    </div>
  );
}

function SaveBar({ room }: { readonly room: Settings }) {
  return (
    <div class="line save-bar">
      <Button
        label="Save"
        kind="main"
        isDisabled={!room.isChanged || room.isBusy}
        onClick={() => room.save().catch(notifyError)}
      />
      <Button label={texts.cancel} isDisabled={room.isBusy} onClick={() => room.edit(undefined)} />
    </div>
  );
}

/** The merge of what I edited with what someone else saved meanwhile. */
function Theirs({ room: { base, theirs, edited, merge } }: { readonly room: Settings }) {
  return (
    <MergeDialog
      heading="The types were changed while you edited them"
      base={settingsOf(base!)}
      mine={edited()}
      theirs={settingsOf(theirs!)}
      versions={[String(base!.version), String(theirs!.version)]}
      submit="Merge both"
      onMerge={merge}
      onClose={() => merge()}
    />
  );
}
