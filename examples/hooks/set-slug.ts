import { defineHook, type JsonObject } from 'generic-resource-service';

/** A resource with `name.en` and without `slug` gets one, which stays when the name changes. */
function withSlug(own: JsonObject): JsonObject {
  const name = (own.name as { readonly en?: unknown } | undefined)?.en;
  if (typeof own.slug === 'string' || typeof name !== 'string') return own;
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return slug === '' ? own : { ...own, slug };
}

export default defineHook({
  name: 'setSlug',
  before({ kind, before, current, staged, refuse }) {
    if (kind === 'delete') return undefined;
    const known = before?.current.slug;
    if (known !== undefined && current.slug !== undefined && current.slug !== known) {
      refuse('slug: links lead to it, so it cannot be changed');
    }
    // A draft that replaces all fields does not have it.
    const keep = (own: JsonObject) => (known === undefined ? own : { ...own, slug: own.slug ?? known });
    return { current: withSlug(keep(current)), staged: staged && withSlug(keep(staged)) };
  },
});
