import { ApiError } from '../api/client.ts';
import { sameJson } from '../api/json.ts';
import { read, scopes } from '../app/session.ts';
import { countExactly } from '../model/pages.ts';
import {
  keepTypes,
  type ProjectTypes,
  readTypes,
  settingsOf,
  type TypeSettings,
  typesPath,
} from '../types/project-types.ts';

/** The types of the sample, as the service returns them. */

const localized = (title: string) => ({ type: 'object', title, additionalProperties: { type: 'string' } });

const sampleTypes: TypeSettings = {
  discriminator: 'type',
  closed: false,
  types: {
    category: {
      name: 'Category',
      schema: { type: 'object', required: ['name'], properties: { name: localized('Name') } },
      unique: [],
      references: {},
    },
    maker: {
      name: 'Maker',
      schema: {
        type: 'object',
        required: ['name'],
        properties: { name: localized('Name'), foundedOn: { type: 'string', format: 'date', title: 'Founded on' } },
      },
      unique: [],
      references: {},
    },
    product: {
      name: 'Product',
      schema: {
        type: 'object',
        required: ['name', 'sku', 'price'],
        properties: {
          name: localized('Name'),
          sku: { type: 'string', title: 'Article number', minLength: 1, description: 'Names its pictures, too.' },
          material: { type: 'string', title: 'Material' },
          price: {
            type: 'object',
            title: 'Price',
            required: ['centAmount', 'currencyCode'],
            properties: {
              centAmount: { type: 'integer', minimum: 0, description: 'In cents: 1290 for 12.90.' },
              currencyCode: { enum: ['EUR', 'USD', 'CHF'] },
            },
          },
          stock: { type: 'integer', title: 'In stock', minimum: 0 },
          isOnStock: { type: 'boolean' },
          availableFrom: { type: 'string', format: 'date-time', title: 'Available from' },
          department: { type: 'string', title: 'Department' },
          tags: { type: 'array', items: { type: 'string' }, title: 'Tags' },
        },
      },
      unique: ['sku'],
      references: {
        category: { type: 'category', onDelete: 'restrict' },
        maker: { type: 'maker', onDelete: 'restrict' },
      },
    },
  },
};

const noTypes: TypeSettings = { discriminator: 'type', closed: false, types: {} };

const isSame = (types: ProjectTypes, other: TypeSettings) => sameJson(settingsOf(types), settingsOf(other));

async function replace(projectKey: string, { version }: ProjectTypes, next: TypeSettings): Promise<void> {
  const json = { ...settingsOf(next), version };
  keepTypes(projectKey, await read<ProjectTypes>(projectKey, { method: 'PUT', path: typesPath(projectKey), json }));
}

/**
 * Declares the types of the sample in a project that has none, where that is allowed. Returns false where it has types of others,
 * which the sample leaves alone: then its resources name no type. Throws `ApiError`.
 */
export async function declareSampleTypes(projectKey: string): Promise<boolean> {
  const types = await readTypes(projectKey);
  if (isSame(types, noTypes) && scopes.value.has('manage_project')) await replace(projectKey, types, sampleTypes);
  return isSame(types, noTypes) || isSame(types, sampleTypes);
}

/** Takes the types of the sample away, unless somebody has changed them, or has resources of them. Throws `ApiError`. */
export async function removeSampleTypes(projectKey: string): Promise<void> {
  const types = await readTypes(projectKey);
  if (!isSame(types, sampleTypes) || !scopes.value.has('manage_project')) return;
  const where = `type in (${Object.keys(sampleTypes.types).map((name) => JSON.stringify(name))})`;
  if ((await countExactly({ projectKey, where, sort: '', staged: false })) > 0) return;
  await replace(projectKey, types, noTypes).catch((error) => {
    // Somebody has changed them meanwhile.
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  });
}
