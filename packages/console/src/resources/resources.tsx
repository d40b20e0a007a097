import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { isLive, liveBeginnings, onResourceEvent } from '../app/live.ts';
import { notify, notifyError } from '../app/notices.tsx';
import { place, setQuery } from '../app/router.ts';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { useFileDrop } from '../browser/file-drop.ts';
import { Button } from '../components/button.tsx';
import { lazily } from '../components/lazily.tsx';
import { FilterBar } from '../filter/filter-bar.tsx';
import { QueryTabs } from '../filter/query-tabs.tsx';
import { defaultColumns, rememberedColumns } from '../model/columns.ts';
import type { ListRequest } from '../model/pages.ts';
import { ResourcePanel } from '../resource/panel.tsx';
import { Empty } from './empty.tsx';
import { ListDialogs } from './list-dialogs.tsx';
import { ListHead } from './list-head.tsx';
import { createListState, type ListState } from './list-state.ts';
import { SelectionBar } from './selection-bar.tsx';
import { ResourceTable } from './table.tsx';

const DeletedResources = lazily(() => import('./deleted.tsx').then((module) => module.DeletedResources));

/** The room of resources: a table with a filter, or what was deleted from it. */
export function Resources({ projectKey }: { readonly projectKey: string }) {
  if (place.value.query.get('view') === 'deleted') {
    return <DeletedResources projectKey={projectKey} />;
  }
  return <ResourceList projectKey={projectKey} />;
}

/** The list that the address asks for. Loads it, and again what others change. */
function useList(request: ListRequest): ListState {
  const { projectKey, where, sort, staged } = request;
  const list = useMemo(createListState, []);
  useEffect(() => list.load(request), [projectKey, where, sort, staged]);
  useEffect(() => {
    // Changes between the read of the page and the start of the stream have no event.
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
  return list;
}

/** A table with a filter, and the open resource beside it. */
function ResourceList({ projectKey }: { readonly projectKey: string }) {
  const { query, item } = place.value;
  const [where, sort, staged] = [query.get('where') ?? '', query.get('sort') ?? '', query.get('staged') === 'true'];
  const request: ListRequest = { projectKey, where, sort, staged };
  const list = useList(request);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const exact = useSignal<number | undefined>(undefined);
  const [dropped, setDropped] = useState<File>();
  const drop = useFileDrop(mayWrite.value, ([file]) => {
    setDropped(file);
    setQuery({ open: 'import' });
  });
  useEffect(() => {
    exact.value = undefined;
  }, [projectKey, where, sort, staged]);

  const { rows, first, error } = list.loaded.value;
  const automatic = useMemo(() => defaultColumns(rows), [first]);
  const columns = query.get('columns')?.split(',') ?? rememberedColumns(projectKey) ?? automatic;
  const reload = () => list.load(request);
  const changed = (id: string, document: JsonMap | undefined) => {
    if (document && !rows.some((row) => row.id === id)) reload();
    else list.put(id, document);
  };

  return (
    <div class={item === undefined ? 'resources' : 'resources with-panel'}>
      <section class={drop.isOver ? 'list over' : 'list'} aria-label={texts.rooms.resources} {...drop.handlers}>
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
        <ListHead request={request} list={list} exact={exact} />
        <SelectionBar
          request={request}
          rows={rows}
          columns={columns}
          selected={selected}
          hasMore={list.loaded.value.next !== undefined}
          onChanged={reload}
        />
        {mayWrite.value && <SampleBar projectKey={projectKey} rows={rows} onRemoved={reload} />}
        <ListBody request={request} list={list} columns={columns} selected={selected} />
      </section>
      {item !== undefined && (
        <ResourcePanel key={item} projectKey={projectKey} id={item === '~new' ? undefined : item} onChanged={changed} />
      )}
      <ListDialogs
        request={request}
        rows={rows}
        columns={columns}
        isRead={first !== undefined}
        file={dropped}
        onImported={() => setDropped(undefined)}
        onChanged={reload}
      />
    </div>
  );
}

interface SampleBarProps {
  readonly projectKey: string;
  readonly rows: readonly JsonMap[];
  readonly onRemoved: () => void;
}

/** Where the sample catalogue is in the project: a way to take all of it away again. */
function SampleBar({ projectKey, rows, onRemoved }: SampleBarProps) {
  const [isBusy, setBusy] = useState(false);
  const isSample = ({ key, sample }: JsonMap) =>
    sample === true && typeof key === 'string' && key.startsWith('sample-');
  if (!rows.some(isSample)) return null;
  const remove = async () => {
    setBusy(true);
    try {
      const { removeSample } = await import('./sample.ts');
      const stay = await removeSample(projectKey);
      const rest = `, but for ${texts.projects.resources(String(stay))} that others refer to`;
      notify(`The sample catalogue is removed${stay === 0 ? '' : rest}.`);
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
      onRemoved();
    }
  };
  return (
    <div class="bar hint">
      <span>The sample catalogue is in this project.</span>
      <Button label="Remove the sample" isDisabled={isBusy} onClick={remove} />
    </div>
  );
}

interface BodyProps {
  readonly request: ListRequest;
  readonly list: ListState;
  readonly columns: readonly string[];
  readonly selected: Signal<ReadonlySet<string>>;
}

/** The table; or that it is being loaded, or what to do in an empty project. */
function ListBody({ request, list, columns, selected }: BodyProps) {
  const { rows, first, question, isLoading, error } = list.loaded.value;
  if (first === undefined) {
    return isLoading ? (
      <p class="hint empty" role="status">
        {texts.loading}
      </p>
    ) : null;
  }
  if (rows.length === 0 && !isLoading && error === undefined) {
    return (
      <Empty
        projectKey={request.projectKey}
        isFiltered={request.where !== ''}
        onLoaded={() => list.load(request)}
        onImport={() => setQuery({ open: 'import' })}
      />
    );
  }
  return (
    <ResourceTable
      projectKey={request.projectKey}
      question={question}
      rows={rows}
      columns={columns}
      sort={request.sort}
      open={place.value.item}
      selected={selected}
      isLoading={isLoading}
      onEnd={list.more}
    />
  );
}
