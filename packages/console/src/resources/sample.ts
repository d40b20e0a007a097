import type { VariantPage } from 'generic-resource-service-client/api-types';
import { ApiError, pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { call, read } from '../app/session.ts';
import { changeMatching } from '../bulk/run.ts';
import { samplePicture } from './sample-images.ts';

interface Kind {
  readonly key: string;
  readonly names: readonly [en: string, de: string, fr: string];
  readonly category: string;
  readonly cents: number;
}

const kinds: readonly Kind[] = [
  { key: 'chair', names: ['chair', 'Stuhl', 'chaise'], category: 'furniture > seats', cents: 12900 },
  { key: 'table', names: ['table', 'Tisch', 'table'], category: 'furniture > tables', cents: 34900 },
  { key: 'shelf', names: ['shelf', 'Regal', 'étagère'], category: 'furniture > storage', cents: 18900 },
  { key: 'lamp', names: ['lamp', 'Lampe', 'lampe'], category: 'light', cents: 7900 },
];

const materials: readonly (readonly [key: string, en: string, de: string, fr: string])[] = [
  ['oak', 'Oak', 'Eichen', 'chêne'],
  ['steel', 'Steel', 'Stahl', 'acier'],
  ['cork', 'Cork', 'Kork', 'liège'],
];

const skuOf = (material: string, kind: string) => `sample-${material}-${kind}`;

const maker: JsonMap = {
  key: 'sample-maker',
  name: { en: 'North Workshop', de: 'Werkstatt Nord', fr: 'Atelier du Nord' },
  foundedOn: '1987-04-01',
  sample: true,
};

/** A small catalogue in three languages. Each resource has `sample: true`: with its key, that is how it is found again. */
export const sample: readonly JsonMap[] = [
  maker,
  ...kinds.flatMap(({ key, names, category, cents }, row) =>
    materials.map(([material, en, de, fr], column) => ({
      key: skuOf(material, key),
      name: { en: `${en} ${names[0]}`, de: `${de}${names[1].toLowerCase()}`, fr: `${names[2]} en ${fr}` },
      sku: skuOf(material, key),
      material,
      category,
      price: { centAmount: cents + column * 1000, currencyCode: 'EUR' },
      stock: 7 * (row + 1) * (column + 1),
      isOnStock: (row + column) % 4 !== 3,
      availableFrom: `2026-0${row + 1}-1${column}T08:00:00Z`,
      maker: { typeId: 'resource', key: 'sample-maker' },
      tags: [material, key],
      sample: true,
    })),
  ),
];

const variants = kinds.flatMap(({ key: kind }) => materials.map(([material]) => ({ kind, material })));

/** Loads the sample: its resources in one commit, then a picture of each, staged. Throws `ApiError`. */
export async function loadSample(projectKey: string): Promise<void> {
  const operations = sample.map((draft): JsonMap => ({ operation: 'overwrite', draft }));
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

/** Deletes what belongs to the sample, and nothing else. Throws `ApiError`. */
export async function removeSample(projectKey: string): Promise<void> {
  const { signal } = new AbortController();
  const keys = sample.map(({ key }) => JSON.stringify(key)).join(', ');
  const where = `sample = true and key in (${keys})`;
  const change = { kind: 'delete' } as const;
  await changeMatching(
    { request: { projectKey, where, sort: '', staged: false }, change, expect: undefined, isDryRun: false },
    signal,
    () => {},
  );
  for (const { kind, material } of variants) await revertPictures(projectKey, skuOf(material, kind));
}
