import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { liveBeginnings, onEvent } from '../app/live.ts';
import { notifyError } from '../app/notices.tsx';
import { go, place, setQuery } from '../app/router.ts';
import { scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { ResourcePanel } from '../resource/panel.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { defaultColumns, rememberColumns, rememberedColumns } from './columns.ts';
import { Empty } from './empty.tsx';
import { FilterBar } from './filter-bar.tsx';
import { createListState } from './list-state.ts';
import { countExactly, type ListRequest } from './pages.ts';
import { SelectionBar } from './selection-bar.tsx';
import { ResourceTable } from './table.tsx';

/** The room of resources: a table with a filter, and the open resource beside it. */
export function Resources({ projectKey }: { readonly projectKey: string }) {
  const { query, item } = place.value;
  const [where, sort, staged] = [query.get('where') ?? '', query.get('sort') ?? '', query.get('staged') === 'true'];
  const list = useMemo(createListState, []);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const [isChoosing, setChoosing] = useState(false);
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
    // A row that somebody changes shows it; what is not in the table stays where it is.
    const unfollow = onEvent((event) => {
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

  const { rows, first, isLoading, error } = list.loaded.value;
  const chosen = query.get('columns')?.split(',') ?? rememberedColumns(projectKey);
  const automatic = useMemo(() => defaultColumns(rows), [first]);
  const columns = chosen ?? automatic;
  const mayWrite = scopes.value.has('manage_test') || scopes.value.has('manage_project');
  const total = exact.value ?? first?.total ?? rows.length;
  const isMore = exact.value === undefined && (first?.isMore ?? false);

  const changed = (id: string, document: JsonMap | undefined) => {
    if (document && !rows.some((row) => row.id === id)) list.load(request);
    else list.put(id, document);
  };

  return (
    <div class={item === undefined ? 'resources' : 'resources with-panel'}>
      <section class="list" aria-label={texts.rooms.resources}>
        <h1 class="sr">{texts.rooms.resources}</h1>
        <FilterBar
          where={where}
          staged={staged}
          error={error}
          onApply={(next) => setQuery({ where: next }, false)}
          onStaged={(next) => setQuery({ staged: next ? 'true' : undefined }, false)}
        />
        <div class="bar">
          <span class="count">
            {texts.resources.count(rows.length, isMore ? `${total.toLocaleString('en')}+` : total.toLocaleString('en'))}
          </span>
          {isMore && (
            <button
              type="button"
              class="plain"
              onClick={() =>
                countExactly(request)
                  .then((count) => {
                    exact.value = count;
                  })
                  .catch(notifyError)
              }
            >
              {texts.resources.exact}
            </button>
          )}
          <span class="space" />
          <button type="button" onClick={() => setChoosing(true)}>
            {texts.resources.columns}
          </button>
          {mayWrite && (
            <button type="button" class="main" onClick={() => go({ item: '~new', query })}>
              {texts.resources.create}
            </button>
          )}
        </div>
        <SelectionBar projectKey={projectKey} rows={rows} selected={selected} onChanged={() => list.load(request)} />
        {rows.length === 0 && !isLoading && error === undefined ? (
          <Empty
            projectKey={projectKey}
            isFiltered={where !== ''}
            mayWrite={mayWrite}
            onLoaded={() => list.load(request)}
          />
        ) : (
          <ResourceTable
            rows={rows}
            columns={columns}
            sort={sort}
            open={item}
            selected={selected}
            canSelect={mayWrite}
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
      {isChoosing && (
        <ColumnChooser
          rows={rows}
          columns={columns}
          onClose={() => setChoosing(false)}
          onChoose={(next) => {
            rememberColumns(projectKey, next);
            setQuery({ columns: next.join(',') });
            setChoosing(false);
          }}
        />
      )}
    </div>
  );
}
