import type { Signal } from '@preact/signals';
import { notifyError } from '../app/notices.tsx';
import { go, place, setQuery } from '../app/router.ts';
import { areRightsKnown, mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { copyItems } from '../components/copy-as.tsx';
import { Menu } from '../components/menu.tsx';
import { totalText } from '../model/counts.ts';
import { countExactly, type ListRequest, listPath, listQuery } from '../model/pages.ts';
import { isPassing, type ListState } from './list-state.ts';

interface ListHeadProps {
  readonly request: ListRequest;
  readonly list: ListState;
  /** How many there are exactly, once somebody asked. */
  readonly exact: Signal<number | undefined>;
}

/** How many resources there are, and the buttons above the table. */
export function ListHead({ request, list, exact }: ListHeadProps) {
  const { rows, first, isLoading, error } = list.loaded.value;
  const total = exact.value ?? first?.total ?? rows.length;
  const isMore = exact.value === undefined && first?.totalRelation === 'gte';
  const count = async () => {
    exact.value = await countExactly(request);
  };
  return (
    <div class="bar">
      <span class="count">{`${rows.length} of ${totalText(total, isMore)}`}</span>
      {isMore && <Button label="Count exactly" kind="plain" onClick={() => count().catch(notifyError)} />}
      {!isLoading && isPassing(error) && <Button label="Try again" kind="plain" onClick={list.retry} />}
      <span class="space" />
      {/* What the rights allow is not known at first: until then all of it has its place. */}
      <div class={areRightsKnown.value ? 'line' : 'line reserved'}>
        <ListButtons request={request} mayOffer={mayWrite.value || !areRightsKnown.value} />
      </div>
    </div>
  );
}

function ListButtons({ request, mayOffer }: { readonly request: ListRequest; readonly mayOffer: boolean }) {
  const toDeleted = () => go({ room: 'resources', query: new URLSearchParams({ view: 'deleted' }) });
  return (
    <>
      <Button label="Columns" onClick={() => setQuery({ open: 'columns' })} />
      {mayOffer && <Button label="Import" onClick={() => setQuery({ open: 'import' })} />}
      <Menu
        label="More"
        items={[
          { label: texts.resources.exportAll, onChoose: () => setQuery({ open: 'export' }) },
          { label: texts.resources.deleted, onChoose: toDeleted },
          ...copyItems(() => ({ path: listPath(request.projectKey), query: listQuery(request) })),
        ]}
      />
      {mayOffer && (
        <Button label="New resource" kind="main" onClick={() => go({ item: '~new', query: place.value.query })} />
      )}
    </>
  );
}
