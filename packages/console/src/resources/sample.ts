import type { VariantPage } from 'generic-resource-service-client/api-types';
import { ApiError, pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { call, read } from '../app/session.ts';
import { changeMatching } from '../bulk/run.ts';
import { samplePicture } from './sample-images.ts';
import { declareSampleTypes, removeSampleTypes } from './sample-types.ts';

interface Kind {
  readonly key: string;
  readonly names: readonly [en: string, de: string, fr: string];
  readonly department: string;
  readonly cents: number;
}

const kinds: readonly Kind[] = [
  {
    key: 'chair',
    names: ['chair', 'Stuhl', 'chaise'],
    department: 'furniture > seats',
    cents: 12900,
  },
  {
    key: 'table',
    names: ['table', 'Tisch', 'table'],
    department: 'furniture > tables',
    cents: 34900,
  },
  {
    key: 'shelf',
    names: ['shelf', 'Regal', 'étagère'],
    department: 'furniture > storage',
    cents: 18900,
  },
  { key: 'lamp', names: ['lamp', 'Lampe', 'lampe'], department: 'light', cents: 7900 },
];

const materials: readonly (readonly [key: string, en: string, de: string, fr: string])[] = [
  ['oak', 'Oak', 'Eichen', 'chêne'],
  ['steel', 'Steel', 'Stahl', 'acier'],
  ['cork', 'Cork', 'Kork', 'liège'],
];

const skuOf = (material: string, kind: string) => `sample-${material}-${kind}`;

const referenceTo = (key: string): JsonMap => ({ typeId: 'resource', key });

const maker: JsonMap = {
  key: 'sample-maker',
  type: 'maker',
  name: { en: 'North Workshop', de: 'Werkstatt Nord', fr: 'Atelier du Nord' },
  foundedOn: '1987-04-01',
  sample: true,
};

const categoryKey = (category: string) => `sample-category-${category}`;

const categories: readonly JsonMap[] = (
  [
    ['furniture', 'Furniture', 'Möbel', 'Meubles'],
    ['light', 'Lighting', 'Beleuchtung', 'Éclairage'],
  ] as const
).map(([category, en, de, fr]) => ({
  ...{ key: categoryKey(category), type: 'category', name: { en, de, fr }, sample: true },
}));

const products: readonly JsonMap[] = kinds.flatMap(({ key, names, department, cents }, row) =>
  materials.map(([material, en, de, fr], column) => ({
    key: skuOf(material, key),
    type: 'product',
    name: { en: `${en} ${names[0]}`, de: `${de}${names[1].toLowerCase()}`, fr: `${names[2]} en ${fr}` },
    sku: skuOf(material, key),
    material,
    category: referenceTo(categoryKey(department.split(' > ')[0]!)),
    department,
    price: { centAmount: cents + column * 1000, currencyCode: 'EUR' },
    stock: 7 * (row + 1) * (column + 1),
    isOnStock: (row + column) % 4 !== 3,
    availableFrom: `2026-0${row + 1}-1${column}T08:00:00Z`,
    maker: referenceTo('sample-maker'),
    tags: [material, key],
    sample: true,
  })),
);

/**
 * A small catalogue in three languages; those that others refer to come first. Each resource has `sample: true`: with its key, that is
 * how it is found again.
 */
const sample: readonly JsonMap[] = [maker, ...categories, ...products];

const variants = kinds.flatMap(({ key: kind }) => materials.map(([material]) => ({ kind, material })));

/** Loads the sample: its types, its resources in one commit, then a picture of each product, staged. Throws `ApiError`. */
export async function loadSample(projectKey: string): Promise<void> {
  const areNamed = await declareSampleTypes(projectKey);
  const drafts = areNamed ? sample : sample.map(({ type: _type, ...draft }) => draft);
  const operations = drafts.map((draft): JsonMap => ({ operation: 'overwrite', draft }));
  await call(projectKey, { method: 'POST', path: pathOf(projectKey, 'resource', 'batch'), json: { operations } });
  for (const { kind, material } of variants) {
    const body = await samplePicture(kind, material);
    if (!body) return;
    const sku = skuOf(material, kind);
    const query = new URLSearchParams({ sku, filename: `${sku}.png` });
    const path = pathOf(projectKey, 'resource', 'images');
    try {
      await call(projectKey, { method: 'POST', path, query, body, headers: { 'content-type': 'image/png' } });
    } catch (error) {
      // A client may be allowed to write resources but not to upload images: then the sample has no images.
      if (error instanceof ApiError && error.status === 403) return;
      throw error;
    }
  }
}

/** Takes the pictures of a variant away that were never published. */
async function revertPictures(projectKey: string, sku: string): Promise<void> {
  const query = new URLSearchParams({ sku, staged: 'true' });
  const { results } = await read<VariantPage>(projectKey, { path: pathOf(projectKey, 'resource', 'images'), query });
  for (const { id, version, images } of results) {
    if (images.length === 0) continue;
    const json = { version, actions: [{ action: 'revertStagedChanges' }] };
    await call(projectKey, { method: 'POST', path: pathOf(projectKey, 'resource', id), json });
  }
}

/** Deletes resources of the sample. Returns how many stay, since others refer to them. */
async function remove(projectKey: string, some: readonly JsonMap[]): Promise<number> {
  const { signal } = new AbortController();
  const keys = some.map(({ key }) => JSON.stringify(key)).join(', ');
  const request = { projectKey, where: `sample = true and key in (${keys})`, sort: '', staged: false };
  const matching = { request, change: { kind: 'delete' }, expect: undefined, isDryRun: false } as const;
  let stay = 0;
  await changeMatching(matching, signal, ({ refused }) => {
    stay = refused.length;
  });
  return stay;
}

/**
 * Deletes what belongs to the sample, and nothing else; products first, since they refer to the others. Returns how many of its resources
 * stay, since others refer to them. Throws `ApiError`.
 */
export async function removeSample(projectKey: string): Promise<number> {
  const stay = (await remove(projectKey, products)) + (await remove(projectKey, [maker, ...categories]));
  for (const { kind, material } of variants) await revertPictures(projectKey, skuOf(material, kind));
  await removeSampleTypes(projectKey);
  return stay;
}
