import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { isLive, liveBeginnings, onResourceEvent } from '../app/live.ts';
import { notifyError } from '../app/notices.tsx';
import { go, place, setQuery } from '../app/router.ts';
import { areRightsKnown, scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Confirm } from '../components/confirm.tsx';
import { copyItems } from '../components/copy-as.tsx';
import { lazily } from '../components/lazily.tsx';
import { Menu } from '../components/menu.tsx';
import { FilterBar } from '../filter/filter-bar.tsx';
import { QueryTabs } from '../filter/query-tabs.tsx';
import { defaultColumns, rememberColumns, rememberedColumns } from '../model/columns.ts';
import { totalText } from '../model/counts.ts';
import { countExactly, type ListRequest, listPath, listQuery } from '../model/pages.ts';
import { ResourcePanel } from '../resource/panel.tsx';
import { Empty } from './empty.tsx';
import { createListState, isPassing } from './list-state.ts';
import { SampleBar } from './sample-bar.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { ResourceTable } from './table.tsx';

const ColumnChooser = lazily(() => import('./column-chooser.tsx').then((module) => module.ColumnChooser));
const DeletedResources = lazily(() => import('./deleted.tsx').then((module) => module.DeletedResources));
const ExportDialog = lazily(() => import('../bulk/export-dialog.tsx').then((module) => module.ExportDialog));
const ImportDialog = lazily(() => import('../import/import-dialog.tsx').then((module) => module.ImportDialog));

/** What is open above the room is in the address; so the palette opens it, too. */
const openNames = ['columns', 'export', 'import', 'sample'] as const;
const openAbove = (name: (typeof openNames)[number]) => setQuery({ open: name });
const closeAbove = () => setQuery({ open: undefined });

/** The room of resources: a table with a filter, or what was deleted from it. */
export function Resources({ projectKey }: { readonly projectKey: string }) {
  const mayWrite = scopes.value.has('manage_test') || scopes.value.has('manage_project');
  if (place.value.query.get('view') === 'deleted') {
    return <DeletedResources projectKey={projectKey} mayWrite={mayWrite} />;
  }
  return <ResourceList projectKey={projectKey} mayWrite={mayWrite} />;
}

interface ListProps {
  readonly projectKey: string;
  readonly mayWrite: boolean;
}

/** A table with a filter, and the open resource beside it. */
function ResourceList({ projectKey, mayWrite }: ListProps) {
  const { query, item } = place.value;
  const [where, sort, staged] = [query.get('where') ?? '', query.get('sort') ?? '', query.get('staged') === 'true'];
  const list = useMemo(createListState, []);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const [dropped, setDropped] = useState<File>();
  const above = openNames.find((name) => name === query.get('open'));
  const [isOver, setOver] = useState(false);
  const exact = useSignal<number | undefined>(undefined);
  const request: ListRequest = { projectKey, where, sort, staged };

  useEffect(() => {
    exact.value = undefined;
    list.load(request);
  }, [projectKey, where, sort, staged]);
  useEffect(() => {
    // What was changed after the page was read and before changes arrived is in no event.
    if (list.loaded.value.first) list.load(request);
  }, [liveBeginnings.value]);
  useEffect(() => {
    // The service can be reached again.
    if (isLive.value) list.retry();
  }, [isLive.value]);
  useEffect(() => {
    // A row that somebody changes shows it; what is not in the table stays where it is.
    const unfollow = onResourceEvent((event) => {
      const { id, version } = event.resource;
      const shown = list.loaded.value.rows.find((row) => row.id === id);
      if (!shown || (event.type !== 'deleted' && Number(shown.version) >= version)) return;
      if (event.type === 'deleted') list.put(id, undefined);
      else void list.refresh(id);
    });
    return () => {
      unfollow();
      list.close();
    };
  }, []);

  const { rows, first, question, isLoading, error } = list.loaded.value;
  const chosen = query.get('columns')?.split(',') ?? rememberedColumns(projectKey);
  const automatic = useMemo(() => defaultColumns(rows), [first]);
  const columns = chosen ?? automatic;
  const total = exact.value ?? first?.total ?? rows.length;
  const isMore = exact.value === undefined && (first?.isMore ?? false);

  const mayOffer = mayWrite || !areRightsKnown.value;
  const changed = (id: string, document: JsonMap | undefined) => {
    if (document && !rows.some((row) => row.id === id)) list.load(request);
    else list.put(id, document);
  };

  return (
    <div class={item === undefined ? 'resources' : 'resources with-panel'}>
      <section
        class={isOver ? 'list over' : 'list'}
        aria-label={texts.rooms.resources}
        onDragOver={(event) => {
          if (!mayWrite || !event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          const [file] = event.dataTransfer?.files ?? [];
          if (!mayWrite || !file) return;
          event.preventDefault();
          setDropped(file);
          openAbove('import');
        }}
      >
        <h1 class="sr">{texts.rooms.resources}</h1>
        <QueryTabs key={projectKey} projectKey={projectKey} />
        <FilterBar
          projectKey={projectKey}
          rows={rows}
          where={where}
          staged={staged}
          error={error}
          onApply={(next) => setQuery({ where: next }, false)}
          onStaged={(next) => setQuery({ staged: next ? 'true' : undefined }, false)}
        />
        <div class="bar">
          <span class="count">{texts.resources.count(rows.length, totalText(total, isMore))}</span>
          {isMore && (
            <Button
              label={texts.counts.exact}
              kind="plain"
              onClick={() =>
                countExactly(request)
                  .then((count) => {
                    exact.value = count;
                  })
                  .catch(notifyError)
              }
            />
          )}
          {!isLoading && isPassing(error) && <Button label={texts.retry} kind="plain" onClick={list.retry} />}
          <span class="space" />
          {/* What the rights allow is not known at first: until then all of it has its place. */}
          <div class={areRightsKnown.value ? 'line' : 'line reserved'}>
            <Button label={texts.resources.columns} onClick={() => openAbove('columns')} />
            {mayOffer && <Button label={texts.resources.import} onClick={() => openAbove('import')} />}
            <Menu
              label={texts.resources.menu}
              items={[
                { label: texts.resources.exportAll, onChoose: () => openAbove('export') },
                {
                  label: texts.deleted.heading,
                  onChoose: () => go({ room: 'resources', query: new URLSearchParams({ view: 'deleted' }) }),
                },
                ...copyItems(() => ({ path: listPath(projectKey), query: listQuery(request) })),
              ]}
            />
            {mayOffer && (
              <Button label={texts.resources.create} kind="main" onClick={() => go({ item: '~new', query })} />
            )}
          </div>
        </div>
        <SelectionBar
          request={request}
          rows={rows}
          columns={columns}
          selected={selected}
          hasMore={list.loaded.value.next !== undefined}
          mayWrite={mayWrite}
          onChanged={() => list.load(request)}
        />
        {mayWrite && <SampleBar projectKey={projectKey} rows={rows} onRemoved={() => list.load(request)} />}
        {first === undefined ? (
          isLoading && (
            <p class="hint empty" role="status">
              {texts.loading}
            </p>
          )
        ) : rows.length === 0 && !isLoading && error === undefined ? (
          <Empty
            projectKey={projectKey}
            isFiltered={where !== ''}
            mayWrite={mayWrite}
            onLoaded={() => list.load(request)}
            onImport={() => openAbove('import')}
          />
        ) : (
          <ResourceTable
            projectKey={projectKey}
            question={question}
            rows={rows}
            columns={columns}
            sort={sort}
            open={item}
            selected={selected}
            isLoading={isLoading}
            onEnd={list.more}
          />
        )}
      </section>
      {item !== undefined && (
        <ResourcePanel
          key={item}
          projectKey={projectKey}
          id={item === '~new' ? undefined : item}
          mayWrite={mayWrite}
          onChanged={changed}
        />
      )}
      {above === 'columns' && first && (
        <ColumnChooser
          rows={rows}
          columns={columns}
          onClose={closeAbove}
          onChoose={(next) => {
            rememberColumns(projectKey, next);
            setQuery({ columns: next.join(','), open: undefined });
          }}
        />
      )}
      {above === 'export' && <ExportDialog request={request} ids={undefined} columns={columns} onClose={closeAbove} />}
      {above === 'import' && mayWrite && (
        <ImportDialog
          projectKey={projectKey}
          file={dropped}
          onClose={(isChanged) => {
            setDropped(undefined);
            closeAbove();
            if (isChanged) list.load(request);
          }}
        />
      )}
      {above === 'sample' && mayWrite && (
        <Confirm
          question={texts.resources.sampleQuestion}
          hint={texts.resources.sampleAdds}
          action={texts.resources.sample}
          isMain
          onConfirm={() => {
            import('./sample.ts')
              .then(({ loadSample }) => loadSample(projectKey))
              .then(() => list.load(request), notifyError);
          }}
          onClose={closeAbove}
        />
      )}
    </div>
  );
}
