import type { Variant, VariantPage } from 'generic-resource-service-client/api-types';
import { useRef, useState } from 'preact/hooks';
import { ApiError, type Call, pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { notify, notifyError } from '../app/notices.tsx';
import { place, setQuery } from '../app/router.ts';
import { areRightsKnown, call, read, scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Confirm } from '../components/dialogs/confirm.tsx';
import { Choice } from '../components/inputs/choice.tsx';
import { FilterForm } from '../components/inputs/filter-form.tsx';
import { Problem } from '../components/problem.tsx';
import { useRead } from '../model/use-read.ts';
import { Upload } from './upload.tsx';
import { VariantCard } from './variant-card.tsx';

const pageSize = 20;

/** A page of variants, and the changes that can be made to them. */
function useVariants(projectKey: string, sku: string, isStaged: boolean) {
  const asked = `${sku} ${isStaged}`;
  /** How many variants are read, for the filter that somebody asked for more of. */
  const [shown, setShown] = useState({ of: asked, limit: pageSize });
  const limit = shown.of === asked ? shown.limit : pageSize;
  /** The variants that are being changed: a second press of a button is not a second change. */
  const changing = useRef(new Set<string>());

  function listCall(): Call {
    const query = new URLSearchParams({ limit: String(limit), staged: String(isStaged) });
    if (sku !== '') query.set('sku', sku);
    return { path: pathOf(projectKey, 'resource', 'images'), query };
  }

  const { value, problem, isAnswered, reload } = useRead(
    (signal) => read<VariantPage>(projectKey, { ...listCall(), signal }),
    `${asked} ${limit}`,
  );
  const { results: variants = [], total = 0 } = value ?? {};

  /** Resolves to whether it was done, which it is not where others have changed the variant meanwhile. */
  async function change({ id, version }: Variant, action: JsonMap, done: string): Promise<boolean> {
    if (changing.current.has(id)) return false;
    changing.current.add(id);
    let isDone = false;
    try {
      const json = { version, actions: [action] };
      await call(projectKey, { method: 'POST', path: pathOf(projectKey, 'resource', id), json });
      notify(done);
      isDone = true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) notify(texts.changed, true);
      else notifyError(error);
    }
    await reload();
    changing.current.delete(id);
    return isDone;
  }

  return {
    ...{ variants, isLoaded: isAnswered, problem, listCall, change, reload },
    loadMore: total > variants.length ? () => setShown({ of: asked, limit: variants.length + pageSize }) : undefined,
  };
}

/** The room of images: product variants with their pictures, and a place to drop new ones. */
export function Images({ projectKey }: { readonly projectKey: string }) {
  const { query } = place.value;
  const sku = query.get('sku') ?? '';
  const isStaged = query.get('view') !== 'current';
  const page = useVariants(projectKey, sku, isStaged);
  const { variants, problem } = page;
  const [reverting, setReverting] = useState<Variant>();
  const mayUpload = scopes.value.has('manage_products') || scopes.value.has('manage_project');
  const mayWrite = scopes.value.has('manage_test');
  return (
    <div class="page">
      <div class="bar">
        <h1>{texts.rooms.images}</h1>
        <span class="space" />
        <CopyAs call={page.listCall} />
      </div>
      {mayUpload ? (
        <Upload projectKey={projectKey} onStored={page.reload} />
      ) : (
        areRightsKnown.value && <p class="hint">Uploads need the scope manage_products.</p>
      )}
      {areRightsKnown.value && (
        <FilterForm fields={[{ name: 'sku', label: 'Find a SKU' }]}>
          <span class="space" />
          <Choice
            label="Show"
            value={isStaged ? '' : 'current'}
            options={Object.entries(texts.images.views)}
            onChoose={(view) => setQuery({ view }, false)}
          />
        </FilterForm>
      )}
      <Problem text={problem} />
      {page.isLoaded && variants.length === 0 && problem === '' && (
        <div class="empty">
          <p>
            <strong>{sku === '' ? 'No product variant has images yet.' : 'No variant has this SKU.'}</strong>
          </p>
          {sku === '' && (
            <p>
              The first image creates a variant. Give it a SKU that your resources have in a field; then expand=images
              returns its images with them.
            </p>
          )}
        </div>
      )}
      {mayWrite && variants.length > 0 && (
        <p class="hint">
          {isStaged
            ? 'Changes are staged: readers see them when the variant is published.'
            : 'Readers see changes at once; they are staged as well.'}
        </p>
      )}
      <ul class="variants stack">
        {variants.map((variant) => (
          <VariantCard
            key={variant.id}
            variant={variant}
            mayWrite={mayWrite}
            isStaged={isStaged}
            onAct={(action, done) => page.change(variant, { ...action, staged: isStaged }, done)}
            onPublish={() => page.change(variant, { action: 'publish' }, 'Published')}
            onRevert={() => setReverting(variant)}
          />
        ))}
      </ul>
      {page.loadMore && <Button label="More variants" onClick={page.loadMore} />}
      {reverting && (
        <Confirm
          question="Discard the staged images of this variant?"
          action={texts.images.revert}
          onClose={() => setReverting(undefined)}
          onConfirm={() => void page.change(reverting, { action: 'revertStagedChanges' }, 'Discarded')}
        />
      )}
    </div>
  );
}
