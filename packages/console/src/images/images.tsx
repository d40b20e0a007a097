import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type Call, pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { errorText, notify, notifyError } from '../app/notices.tsx';
import { place, setQuery } from '../app/router.ts';
import { areRightsKnown, call, scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Choice } from '../components/choice.tsx';
import { Confirm } from '../components/confirm.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { FilterForm } from '../components/filter-form.tsx';
import { Problem } from '../components/problem.tsx';
import { Upload } from './upload.tsx';
import { type ImageAction, stateOf, type Variant } from './variant.ts';
import { VariantCard } from './variant-card.tsx';

const pageSize = 20;
/** Renditions that are being made are looked for again. */
const pendingMs = 1500;

/** The room of images: product variants with their pictures, and a place to drop new ones. */
export function Images({ projectKey }: { readonly projectKey: string }) {
  const { query } = place.value;
  const sku = query.get('sku') ?? '';
  const isStaged = query.get('view') !== 'current';
  const [variants, setVariants] = useState<readonly Variant[]>([]);
  const [isMore, setMore] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const [problem, setProblem] = useState('');
  const [reverting, setReverting] = useState<Variant>();
  /** Rises with each reading, so that an answer that others have overtaken is not shown. */
  const readings = useRef(0);
  /** As many variants as are shown are read again. */
  const shown = useRef(pageSize);
  const mayUpload = scopes.value.has('manage_products') || scopes.value.has('manage_project');
  const mayWrite = scopes.value.has('manage_test');

  function listCall(limit: number): Call {
    const asked = new URLSearchParams({ limit: String(limit), staged: String(isStaged) });
    if (sku !== '') asked.set('sku', sku);
    return { path: pathOf(projectKey, 'resource', 'images'), query: asked };
  }

  async function load(limit = shown.current): Promise<void> {
    readings.current += 1;
    const own = readings.current;
    shown.current = limit;
    try {
      const { body } = await call(projectKey, listCall(limit));
      if (own !== readings.current) return;
      const { results, total } = body as unknown as { results: readonly Variant[]; total: number };
      setVariants(results);
      setMore(total > results.length);
      setProblem('');
    } catch (error) {
      if (own === readings.current) setProblem(errorText(error));
    }
    setLoaded(true);
  }
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    setLoaded(false);
    void load(pageSize);
    return () => {
      readings.current += 1;
    };
  }, [projectKey, sku, isStaged]);

  const isPending = variants.some(({ imageDetails }) => imageDetails.some((image) => stateOf(image) === 'pending'));
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => void latest.current(), pendingMs);
    return () => clearTimeout(timer);
  }, [variants]);

  /** The variants that are being changed: a second press of a button is not a second change. */
  const changing = useRef(new Set<string>());
  async function change(variant: Variant, action: ImageAction, done: string): Promise<boolean> {
    if (changing.current.has(variant.id)) return false;
    changing.current.add(variant.id);
    try {
      return await act(variant, { ...action, staged: isStaged }, done);
    } catch (error) {
      notifyError(error);
      return false;
    } finally {
      changing.current.delete(variant.id);
    }
  }

  /** Resolves to false where others have changed the variant meanwhile. */
  async function act({ id, version }: Variant, action: JsonMap, done: string): Promise<boolean> {
    let isDone = false;
    try {
      const json = { version, actions: [action] };
      await call(projectKey, { method: 'POST', path: pathOf(projectKey, 'resource', id), json });
      notify(done);
      isDone = true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      notify(texts.subscriptions.changed, true);
    }
    await load();
    return isDone;
  }

  return (
    <div class="page">
      <div class="bar">
        <h1>{texts.rooms.images}</h1>
        <span class="space" />
        <CopyAs call={() => listCall(pageSize)} />
      </div>
      {mayUpload ? (
        <Upload projectKey={projectKey} onStored={() => void latest.current()} />
      ) : (
        areRightsKnown.value && <p class="hint">{texts.images.noRight}</p>
      )}
      {areRightsKnown.value && (
        <FilterForm fields={[{ name: 'sku', label: texts.images.filter }]}>
          <span class="space" />
          <Choice
            label={texts.images.view}
            value={isStaged ? '' : 'current'}
            options={Object.entries(texts.images.views)}
            onChoose={(view) => setQuery({ view }, false)}
          />
        </FilterForm>
      )}
      <Problem text={problem} />
      {isLoaded && variants.length === 0 && problem === '' && (
        <div class="empty">
          <p>
            <strong>{sku === '' ? `${texts.images.none}.` : texts.images.noneFound}</strong>
          </p>
          {sku === '' && <p>{texts.images.noneHint}</p>}
        </div>
      )}
      {mayWrite && variants.length > 0 && (
        <p class="hint">{isStaged ? texts.images.changesStaged : texts.images.changesNow}</p>
      )}
      <ul class="variants">
        {variants.map((variant) => (
          <VariantCard
            key={variant.id}
            variant={variant}
            mayWrite={mayWrite}
            isStaged={isStaged}
            onAct={(action, done) => change(variant, action, done)}
            onPublish={() => act(variant, { action: 'publish' }, texts.images.published).catch(notifyError)}
            onRevert={() => setReverting(variant)}
          />
        ))}
      </ul>
      {isMore && <Button label={texts.images.more} onClick={() => void load(variants.length + pageSize)} />}
      {reverting && (
        <Confirm
          question={texts.images.revertQuestion}
          action={texts.images.revert}
          onClose={() => setReverting(undefined)}
          onConfirm={() => act(reverting, { action: 'revertStagedChanges' }, texts.images.reverted).catch(notifyError)}
        />
      )}
    </div>
  );
}
