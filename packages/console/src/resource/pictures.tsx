import type { VariantPage } from 'generic-resource-service-client/api-types';
import { pathOf } from '../api/client.ts';
import { place } from '../app/router.ts';
import { read } from '../app/session.ts';
import { PlaceLink } from '../components/place-link.tsx';
import { useRead } from '../model/use-read.ts';

const shownAtMost = 6;

/** Small pictures of the variant that a resource names by its SKU, staged ones too. Renders nothing without pictures. */
export function Pictures({ projectKey, sku }: { readonly projectKey: string; readonly sku: string }) {
  const { value, problem } = useRead((signal) => {
    const query = new URLSearchParams({ sku, staged: 'true' });
    return read<VariantPage>(projectKey, { path: pathOf(projectKey, 'resource', 'images'), query, signal });
  }, `${projectKey} ${sku}`);
  // Without them the resource is as it is: the room of images tells what is wrong.
  if (problem !== '') return null;
  // Most resources that name a variant have pictures: what is below them keeps its place.
  if (value === undefined) return <div class="pictures" />;
  const pictures = value.results.flatMap(({ imageDetails }) => imageDetails);
  if (pictures.length === 0) return null;
  const to = { ...place.value, room: 'images', item: undefined, query: new URLSearchParams() } as const;
  return (
    <PlaceLink to={to} class="pictures" label={`Images of ${sku}`}>
      {pictures.slice(0, shownAtMost).map(({ url, renditions }) => (
        <img key={url} src={renditions?.small?.url ?? url} alt="" loading="lazy" />
      ))}
    </PlaceLink>
  );
}
