import type { DeletedResource } from 'generic-resource-service-client/api-types';
import { useState } from 'preact/hooks';
import { ApiError, type Call, pathOf } from '../api/client.ts';
import { type JsonMap, writeJson } from '../api/json.ts';
import { actorName } from '../app/live.ts';
import { notify } from '../app/notices.tsx';
import { go, place, setQuery } from '../app/router.ts';
import { call, mayWrite, read } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { focus } from '../browser/focus.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { FormDialog } from '../components/dialogs/form-dialog.tsx';
import { TextInput } from '../components/inputs/fields.tsx';
import { Moment } from '../components/moment.tsx';
import { Problem } from '../components/problem.tsx';
import { Scroll } from '../components/scroll.tsx';
import { usePages } from '../model/use-pages.ts';
import { useRead } from '../model/use-read.ts';
import { ownFields } from '../resource/write.ts';
import { type Column, ListTable } from '../table/list-table.tsx';

interface DeletedProps {
  readonly projectKey: string;
}

const listCall = (projectKey: string, cursor?: string): Call => ({
  path: pathOf(projectKey, 'resource', 'deleted'),
  query: new URLSearchParams({ limit: '50', ...(cursor !== undefined && { cursor }) }),
});

/** Resources that were deleted and can be brought back, the last deleted one first. */
export function DeletedResources({ projectKey }: DeletedProps) {
  const { rows, problem, more } = usePages<DeletedResource>(projectKey, (cursor) => listCall(projectKey, cursor));
  // In the address, so that one can be sent to a colleague.
  const shown = rows?.find(({ id }) => id === place.value.query.get('deleted'));
  const show = (row: DeletedResource | undefined) => setQuery({ deleted: row?.id });

  const columns: readonly Column<DeletedResource>[] = [
    {
      name: texts.resource.key,
      kind: 'head',
      cell: (row) => (
        <button type="button" class="plain link" onClick={() => show(row)}>
          {row.key ?? row.id}
        </button>
      ),
    },
    { name: 'Version', cell: ({ version }) => version },
    { name: 'Deleted', cell: ({ deletedAt }) => <Moment at={deletedAt} /> },
    { name: 'By', cell: ({ deletedBy }) => actorName({ actor: deletedBy }) },
  ];
  const back = () => go({ room: 'resources' });
  return (
    <div class="page">
      <div class="line">
        <h1>{texts.resources.deleted}</h1>
        <span class="space" />
        <CopyAs call={() => listCall(projectKey)} />
        <Button label="Back to the resources" onClick={back} />
      </div>
      <p class="hint">The history keeps deleted resources. A restored resource has its id again.</p>
      <Problem text={problem} />
      {rows === undefined ? (
        problem === '' && <p role="status">{texts.loading}</p>
      ) : rows.length === 0 ? (
        <p class="empty">There are no deleted resources to restore.</p>
      ) : (
        <ListTable label={texts.resources.deleted} rows={rows} keyOf={({ id }) => id} columns={columns} isStacked />
      )}
      {more && <Button label="Older deletions" onClick={more} />}
      {shown && <Restore projectKey={projectKey} deleted={shown} onClose={() => show(undefined)} />}
    </div>
  );
}

interface RestoreProps extends DeletedProps {
  readonly deleted: DeletedResource;
  readonly onClose: () => void;
}

/** Shows what a deleted resource held, and brings it back; under another key where its own is taken by now. */
function Restore({ projectKey, deleted, onClose }: RestoreProps) {
  const { id, version } = deleted;
  const name = deleted.key ?? id;
  const [isTaken, setTaken] = useState(false);
  const [key, setKey] = useState(deleted.key ?? '');
  const path = pathOf(projectKey, 'resource', id);
  const { value: content, problem } = useRead(async (signal) => {
    const query = new URLSearchParams({ version: String(version) });
    return writeJson(ownFields(await read<JsonMap>(projectKey, { path, query, signal })), 2);
  }, id);

  const restoreCall = (): Call => ({
    ...{ method: 'POST', path: `${path}/restore` },
    json: isTaken ? { key: key.trim() === '' ? null : key.trim() } : {},
  });
  async function restore(): Promise<void> {
    try {
      await call(projectKey, restoreCall());
    } catch (error) {
      setTaken(isTaken || (error instanceof ApiError && error.code === 'DuplicateField'));
      throw error;
    }
    notify(`${name} is restored`);
    go({ room: 'resources', item: id });
  }

  return (
    <FormDialog
      label={name}
      submit={mayWrite.value ? 'Restore' : undefined}
      call={mayWrite.value ? restoreCall : undefined}
      onSubmit={restore}
      onClose={onClose}
    >
      <Problem text={problem} />
      {content !== undefined && (
        <Scroll class="tall" label="Content of the resource">
          <pre class="code" dir="auto">
            {content.length > 20_000 ? `${content.slice(0, 20_000)}…` : content}
          </pre>
        </Scroll>
      )}
      {isTaken && (
        <TextInput label="Another key (empty for none)" value={key} maxLength={256} ref={focus} onInput={setKey} />
      )}
    </FormDialog>
  );
}
