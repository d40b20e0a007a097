import type { HistoryEntry, JsonPatch } from 'generic-resource-service-client/api-types';
import { useState } from 'preact/hooks';
import type { Json } from '../api/json.ts';
import { actorName } from '../app/live.ts';
import { notifyError } from '../app/notices.tsx';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Confirm } from '../components/dialogs/confirm.tsx';
import { Problem } from '../components/problem.tsx';
import { namesOf } from '../drafts/drafts.ts';
import { usePages } from '../model/use-pages.ts';
import { DifferenceTable } from '../table/difference-table.tsx';
import type { Editor } from './editor.ts';
import { historyCall } from './read-calls.ts';

interface HistoryProps {
  readonly editor: Editor;
  readonly projectKey: string;
  readonly id: string;
}

const systemPath = /^\/(?:version|lastModifiedAt|lastModifiedBy|hasStagedChanges)(?:\/|$)/;

/** The versions of a resource, the newest first, with what each changed. */
export function HistoryTab({ editor, projectKey, id }: HistoryProps) {
  const version = editor.current.value?.version;
  const [asked, setAsked] = useState<number>();
  const restore = (to: number) => void editor.act({ action: 'restore', version: to }).catch(notifyError);

  const { rows, problem, more } = usePages<HistoryEntry>(
    projectKey,
    (after) => historyCall(projectKey, id, after),
    `${id} ${version}`,
  );

  if (rows?.length === 0) return <p class="empty">No earlier versions are kept.</p>;
  return (
    <>
      <ol class="history">
        {rows?.map((entry) => (
          <li key={`${entry.at}-${entry.version}-${entry.type}`}>
            <EntryHead entry={entry} />
            <Changes name={texts.drafts.readersSee} operations={entry.diff?.current} />
            <Changes name={texts.drafts.draft} operations={entry.diff?.staged} isDraft />
            {mayWrite.value && entry.version !== version && entry.type !== 'deleted' && (
              <Button
                label="Restore this version"
                isDisabled={editor.isBusy.value || editor.changes.value.length > 0}
                onClick={() => (editor.staged.value ? setAsked(entry.version) : restore(entry.version))}
              />
            )}
          </li>
        ))}
      </ol>
      {asked !== undefined && (
        <Confirm
          question={`Restore version ${asked}?`}
          hint="What is staged is replaced as well, by what was staged in that version, if anything was. Undo brings it back."
          action="Restore this version"
          onConfirm={() => restore(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      <Problem text={problem} />
      {more && <Button label="Older versions" onClick={more} />}
    </>
  );
}

/** Drafts and publications look different from plain saves. */
function TypeBadge({ entry: { type, diff } }: { readonly entry: HistoryEntry }) {
  const isDraft = type === 'updated' && ownOf(diff?.current).length === 0 && ownOf(diff?.staged).length > 0;
  if (isDraft) return <span class="badge warn">draft</span>;
  if (type === 'published') return <span class="badge good">published</span>;
  if (type === 'reverted') return <span class="badge">draft discarded</span>;
  return <span class="badge">{type}</span>;
}

const ownOf = (operations: JsonPatch = []) => operations.filter(({ path }) => !systemPath.test(path) && path !== '');

function EntryHead({ entry }: { readonly entry: HistoryEntry }) {
  return (
    <p>
      <strong>{texts.resource.version(String(entry.version))}</strong> <TypeBadge entry={entry} />{' '}
      <span class="hint">
        {`by ${actorName(entry)}`}, {new Date(entry.at).toLocaleString()}
        {entry.actions && entry.actions.length > 0 ? ` (${entry.actions.join(', ')})` : ''}
      </span>
    </p>
  );
}

interface ChangesProps {
  readonly name: string;
  readonly operations: JsonPatch | undefined;
  readonly isDraft?: boolean;
}

function Changes({ name, operations, isDraft = false }: ChangesProps) {
  const lines = ownOf(operations).map(({ path, value, oldValue }) => ({
    ...{ path: namesOf(path), before: oldValue as Json | undefined, after: value as Json | undefined },
  }));
  if (lines.length === 0) return null;
  return <DifferenceTable caption={name} lines={lines.slice(0, 100)} isDraft={isDraft} />;
}
