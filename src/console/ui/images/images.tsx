import { useEffect, useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import { errorText, notifyError } from '../app/notices.tsx';
import { call, scopes } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Upload } from './upload.tsx';

interface Rendition {
  readonly url: string;
  readonly status: string;
}

interface Variant {
  readonly id: string;
  readonly version: number;
  readonly variant: number;
  readonly sku?: string;
  readonly hasStagedChanges?: boolean;
  readonly imageDetails: readonly {
    readonly url: string;
    readonly renditions: Readonly<Record<string, Rendition | undefined>>;
  }[];
}

const pageSize = 20;
/** Renditions that are being made are looked for again. */
const pendingMs = 1500;

/** The rendition for a small picture, if it is there. */
function smallOf(renditions: Readonly<Record<string, Rendition | undefined>>): Rendition | undefined {
  return renditions.medium ?? renditions.small ?? renditions.thumb;
}

/** The room of images: product variants with their pictures, and a place to drop new ones. */
export function Images({ projectKey }: { readonly projectKey: string }) {
  const [variants, setVariants] = useState<readonly Variant[]>([]);
  const [isMore, setMore] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const [problem, setProblem] = useState('');
  const mayUpload = scopes.value.has('manage_products') || scopes.value.has('manage_project');

  async function load(offset: number): Promise<void> {
    try {
      const query = new URLSearchParams({ limit: String(pageSize), offset: String(offset), staged: 'true' });
      const { body } = await call(projectKey, { path: pathOf(projectKey, 'resource', 'images'), query });
      const { results } = body as unknown as { results: readonly Variant[] };
      setVariants((before) => [...before.slice(0, offset), ...results]);
      setMore(results.length === pageSize);
      setProblem('');
    } catch (error) {
      setProblem(errorText(error));
    }
    setLoaded(true);
  }
  useEffect(() => {
    void load(0);
  }, [projectKey]);

  const isPending = variants.some(({ imageDetails }) =>
    imageDetails.some(({ renditions }) => smallOf(renditions)?.status === 'pending'),
  );
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => load(0), pendingMs);
    return () => clearTimeout(timer);
  }, [variants]);

  async function publish({ id, version }: Variant): Promise<void> {
    const json = { version, actions: [{ action: 'publish' }] };
    await call(projectKey, { method: 'POST', path: pathOf(projectKey, 'resource', id), json });
    await load(0);
  }

  return (
    <div class="page">
      <h1>{texts.rooms.images}</h1>
      {mayUpload && <Upload projectKey={projectKey} onUploaded={() => load(0)} />}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {isLoaded && variants.length === 0 && problem === '' && <p class="empty">{texts.images.none}</p>}
      <ul class="variants">
        {variants.map((variant) => (
          <li key={variant.id}>
            <div class="bar">
              <strong dir="auto">{variant.sku ?? texts.images.variant(String(variant.variant))}</strong>
              <span class="badge">{texts.resource.version(String(variant.version))}</span>
              {variant.hasStagedChanges === true && <span class="badge">{texts.resources.staged}</span>}
              <span class="space" />
              {variant.hasStagedChanges === true && mayUpload && (
                <button type="button" onClick={() => publish(variant).catch(notifyError)}>
                  {texts.images.publish}
                </button>
              )}
            </div>
            <div class="thumbs">
              {variant.imageDetails.map(({ url, renditions }, at) => {
                const small = smallOf(renditions);
                return (
                  <a key={url} href={url} target="_blank" rel="noreferrer">
                    {small?.status === 'pending' ? (
                      <span class="hint">{texts.images.pending}</span>
                    ) : (
                      <img
                        src={small?.status === 'ready' ? small.url : url}
                        alt={`${variant.sku ?? ''} ${at + 1}`}
                        loading="lazy"
                      />
                    )}
                  </a>
                );
              })}
            </div>
          </li>
        ))}
      </ul>
      {isMore && (
        <button type="button" onClick={() => load(variants.length)}>
          {texts.images.more}
        </button>
      )}
    </div>
  );
}
