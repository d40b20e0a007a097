import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { notifyError } from '../app/notices.tsx';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import type { BulkKind } from '../bulk/bulk-dialog.tsx';
import { targetOf } from '../bulk/run.ts';
import { Button } from '../components/button.tsx';
import { lazily } from '../components/lazily.tsx';
import { pathsIn } from '../model/columns.ts';
import { countExactly, type ListRequest } from '../model/pages.ts';

const BulkDialog = lazily(() => import('../bulk/bulk-dialog.tsx').then((module) => module.BulkDialog));
const ExportDialog = lazily(() => import('../bulk/export-dialog.tsx').then((module) => module.ExportDialog));

interface SelectionBarProps {
  readonly request: ListRequest;
  readonly rows: readonly JsonMap[];
  readonly columns: readonly string[];
  readonly selected: Signal<ReadonlySet<string>>;
  /** There are matches that are not loaded. */
  readonly hasMore: boolean;
  readonly onChanged: () => void;
}

/** The actions on the selected resources, or on all matches. */
export function SelectionBar({ request, rows, columns, selected, hasMore, onChanged }: SelectionBarProps) {
  /** How many match, where all that match are selected. */
  const [everything, setEverything] = useState<number>();
  const [open, setOpen] = useState<BulkKind | 'export'>();
  const chosen = rows.filter(({ id }) => selected.value.has(id as string));
  if (chosen.length === 0 && open === undefined) return null;
  const isAllLoaded = chosen.length === rows.length;
  const isEverything = everything !== undefined && isAllLoaded;
  const count = isEverything ? everything : chosen.length;
  const clear = () => {
    selected.value = new Set();
    setEverything(undefined);
  };
  const close = (isChanged: boolean) => {
    setOpen(undefined);
    if (!isChanged) return;
    clear();
    onChanged();
  };
  return (
    <>
      <div class="bar selection" role="toolbar" aria-label={texts.resources.selected(count.toLocaleString('en'))}>
        <strong>{texts.resources.selected(count.toLocaleString('en'))}</strong>
        {isAllLoaded && hasMore && !isEverything && (
          <Button
            label="Select all matches"
            kind="plain"
            onClick={() => countExactly(request).then(setEverything).catch(notifyError)}
          />
        )}
        {mayWrite.value && (
          <>
            <Button label="Set a field" onClick={() => setOpen('setField')} />
            <Button label="Publish" onClick={() => setOpen('publish')} />
          </>
        )}
        <Button label="Export" onClick={() => setOpen('export')} />
        {mayWrite.value && <Button label="Delete" kind="danger" onClick={() => setOpen('delete')} />}
        <Button label="Clear" kind="plain" onClick={clear} />
      </div>
      {open === 'export' && (
        <ExportDialog
          request={request}
          ids={isEverything ? undefined : chosen.map(({ id }) => id as string)}
          columns={columns}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open !== undefined && open !== 'export' && (
        <BulkDialog
          projectKey={request.projectKey}
          kind={open}
          scope={isEverything ? { request } : { targets: chosen.map(targetOf) }}
          count={count}
          paths={pathsIn(rows)}
          onClose={close}
        />
      )}
    </>
  );
}
