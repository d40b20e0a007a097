import { useEffect, useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import { place } from '../app/router.ts';
import { call } from '../app/session.ts';
import { PlaceLink } from '../components/place-link.tsx';

interface Picture {
  readonly url: string;
  readonly renditions?: Readonly<Record<string, { readonly url: string; readonly status: string }>>;
}

const shownAtMost = 6;

/** Small pictures of the variant that a resource names by its SKU, staged ones too. Renders nothing without pictures. */
export function Pictures({ projectKey, sku }: { readonly projectKey: string; readonly sku: string }) {
  const [pictures, setPictures] = useState<readonly Picture[]>();
  useEffect(() => {
    const ended = new AbortController();
    const query = new URLSearchParams({ sku, staged: 'true' });
    call(projectKey, { path: pathOf(projectKey, 'resource', 'images'), query, signal: ended.signal })
      .then(({ body }) => {
        const { results } = body as unknown as { results: readonly { imageDetails?: readonly Picture[] }[] };
        setPictures(results.flatMap(({ imageDetails = [] }) => imageDetails));
      })
      // Without them the resource is as it is: the room of images tells what is wrong.
      .catch(() => setPictures([]));
    return () => ended.abort();
  }, [projectKey, sku]);
  // Most resources that name a variant have pictures: what is below them keeps its place.
  if (pictures === undefined) return <div class="pictures" />;
  if (pictures.length === 0) return null;
  const to = { ...place.value, room: 'images', item: undefined, query: new URLSearchParams() } as const;
  return (
    <PlaceLink to={to} class="pictures" label={`Images of ${sku}`}>
      {pictures.slice(0, shownAtMost).map(({ url, renditions }) => (
        <img key={url} src={renditions?.small?.status === 'ready' ? renditions.small.url : url} alt="" loading="lazy" />
      ))}
    </PlaceLink>
  );
}
