import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { actorName, onResourceEvent } from '../app/live.ts';
import { errorText, notifyError } from '../app/notices.tsx';
import { go, place, useUnsaved } from '../app/router.ts';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { copyItems } from '../components/copy-as.tsx';
import { MergeDialog } from '../components/dialogs/merge-dialog.tsx';
import { Menu } from '../components/menu.tsx';
import { Problem } from '../components/problem.tsx';
import { Tabs } from '../components/tabs.tsx';
import { DraftBar } from '../drafts/draft-bar.tsx';
import { DraftDialog } from '../drafts/draft-dialog.tsx';
import { differences } from '../model/paths.ts';
import { ReferencedBy } from '../reference/referenced-by.tsx';
import { DifferenceTable } from '../table/difference-table.tsx';
import { useTypes } from '../types/project-types.ts';
import { TypeChoice } from '../types/type-choice.tsx';
import { Editor } from './editor.ts';
import { DocumentForm } from './form.tsx';
import { HistoryTab } from './history-tab.tsx';
import { JsonTab } from './json-tab.tsx';
import { PanelActions } from './panel-actions.tsx';
import { Pictures } from './pictures.tsx';
import { shownCall } from './read-calls.ts';
import { RefusedList } from './refused.tsx';

interface PanelProps {
  readonly projectKey: string;
  /** Undefined for a new resource. */
  readonly id: string | undefined;
  /** Called with the resource as it is stored now; undefined after its deletion. */
  readonly onChanged: (id: string, document: JsonMap | undefined) => void;
}

const tabs = ['form', 'json', 'staged', 'history'] as const;

/** One resource: form, JSON, what is staged. */
export function ResourcePanel({ projectKey, id, onChanged }: PanelProps) {
  const editor = useMemo(() => new Editor(projectKey, id, onChanged), [projectKey, id]);
  useEffect(() => {
    editor.load().catch(notifyError);
    return onResourceEvent((event) => editor.heard(event));
  }, [editor]);
  const types = useTypes(projectKey);
  const [isBegun, setBegun] = useState(id !== undefined);
  const isChoosing = !isBegun && types !== undefined && Object.keys(types.types).length > 0;
  useUnsaved(() => editor.changes.value.length > 0, 'You have unsaved changes. Discard them?');

  const close = () => go({ item: undefined, query: place.value.query });
  const { problem, base, mine } = editor;
  const missing = id === undefined ? 'New resource' : problem.value === undefined ? texts.loading : id;
  const name = String(base.value?.key ?? base.value?.id ?? missing);
  const tab = tabs.find((one) => one === place.value.query.get('tab')) ?? 'form';
  return (
    <section class="panel" aria-label={name}>
      <PanelHead editor={editor} projectKey={projectKey} name={name} onClose={close} />
      {problem.value !== undefined && <Problem text={errorText(problem.value)} />}
      {editor.newer.value && (
        <div class="between newer" role="status">
          <span>
            {editor.newer.value.type === 'deleted'
              ? `${actorName(editor.newer.value)} has deleted this resource. You can no longer save it; copy what you need.`
              : `${actorName(editor.newer.value)} has saved version ${editor.newer.value.resource.version}.`}
          </span>
          {editor.newer.value.type !== 'deleted' && (
            <Button label="Load their changes" onClick={() => editor.takeUp().catch(notifyError)} />
          )}
        </div>
      )}
      {(tab === 'form' || tab === 'json') && <DraftBar editor={editor} />}
      {isChoosing && (
        <TypeChoice
          types={types}
          onChoose={(document) => {
            editor.base.value = editor.mine.value = document;
            setBegun(true);
          }}
        />
      )}
      {mine.value !== undefined && types !== undefined && !isChoosing && (
        <>
          {id !== undefined && (
            <Tabs
              tabs={tabs}
              shown={tab}
              nameOf={(one) => (
                <>
                  {texts.resource.tabs[one]}
                  {one === 'staged' && base.value?.hasStagedChanges === true && <span class="dot" />}
                </>
              )}
            />
          )}
          <div class="panel-body">
            {tab !== 'form' && <RefusedList editor={editor} isShownAt={() => false} />}
            {tab === 'json' ? (
              <JsonTab editor={editor} />
            ) : tab === 'staged' && id !== undefined ? (
              <StagedTab editor={editor} />
            ) : tab === 'history' && id !== undefined ? (
              <HistoryTab editor={editor} projectKey={projectKey} id={id} />
            ) : (
              <>
                <DocumentForm editor={editor} />
                {id !== undefined && <ReferencedBy projectKey={projectKey} id={id} />}
              </>
            )}
          </div>
          {mayWrite.value && (
            <PanelActions editor={editor} projectKey={projectKey} isNew={id === undefined} onDeleted={close} />
          )}
        </>
      )}
      {editor.conflict.value && <Conflict editor={editor} name={name} />}
      {editor.question.value && <DraftDialog editor={editor} />}
    </section>
  );
}

/** The merge of what I edited with what someone else saved meanwhile. */
function Conflict({ editor, name }: { readonly editor: Editor; readonly name: string }) {
  const { theirs, isStaged } = editor.conflict.value!;
  const base = editor.base.value!;
  return (
    <MergeDialog
      heading={`${name} was changed while you edited it`}
      base={base}
      mine={editor.mine.value!}
      theirs={theirs}
      versions={[String(base.version), String(theirs.version)]}
      submit={`Save as version ${Number(theirs.version) + 1}`}
      isBusy={editor.isBusy.value}
      onMerge={(lines) => {
        const changes = lines.map(({ path, mine: value }) => ({ path, value }));
        editor.saveOver(theirs, changes, isStaged).catch(notifyError);
      }}
      onClose={() => {
        editor.conflict.value = undefined;
      }}
    />
  );
}

/** Compares the staged with the current projection, and publishes or discards it. */
function StagedTab({ editor }: { readonly editor: Editor }) {
  const [current, staged] = [editor.current.value, editor.staged.value];
  if (!current || !staged) return <p class="empty">No staged changes: readers see everything that is saved.</p>;
  const act = (action: string) => editor.act({ action }).catch(notifyError);
  return (
    <>
      <h2>Changes to publish</h2>
      <DifferenceTable lines={differences(current, staged)} before="Now" after="After publishing" />
      {mayWrite.value && (
        <div class="actions">
          <Button
            label="Discard staged changes"
            isDisabled={editor.isBusy.value}
            onClick={() => act('revertStagedChanges')}
          />
          <Button label="Publish" kind="main" isDisabled={editor.isBusy.value} onClick={() => act('publish')} />
        </div>
      )}
    </>
  );
}

interface PanelHeadProps {
  readonly editor: Editor;
  readonly projectKey: string;
  readonly name: string;
  readonly onClose: () => void;
}

function PanelHead({ editor, projectKey, name, onClose }: PanelHeadProps) {
  const stored = editor.base.value;
  const author = stored?.lastModifiedBy as JsonMap | undefined;
  return (
    <div class="panel-head">
      <h1 dir="auto">{name}</h1>
      {stored?.id !== undefined && (
        <Menu
          label={texts.copyAs}
          items={[
            {
              label: 'Copy id',
              onChoose: () => void navigator.clipboard.writeText(stored.id as string).catch(notifyError),
            },
            ...copyItems(() => shownCall(projectKey, stored.id as string, place.value.query.get('tab'))),
          ]}
        />
      )}
      <Button label={texts.close} onClick={onClose} />
      {stored?.version !== undefined && (
        <p class="hint">
          <span class="badge">{texts.resource.version(String(stored.version))}</span>
          {` changed by ${actorName({ actor: author ?? {} })}, ${new Date(String(stored.lastModifiedAt)).toLocaleString()}`}
        </p>
      )}
      {typeof stored?.sku === 'string' && <Pictures projectKey={projectKey} sku={stored.sku} />}
    </div>
  );
}
