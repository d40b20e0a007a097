import { computed, signal } from '@preact/signals';
import type { UniqueState } from 'generic-resource-service-client/api-types';
import { useEffect } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { place } from '../app/router.ts';
import { read } from '../app/session.ts';
import type { TypeDefinition } from './fields.ts';

/** What people edit of the types. */
export interface TypeSettings {
  readonly discriminator: string;
  readonly closed: boolean;
  readonly types: Readonly<Record<string, TypeDefinition>>;
}

/** The types of a project. */
export interface ProjectTypes extends TypeSettings {
  readonly version: number;
  readonly unique: readonly UniqueState[];
}

/** The types that were read last, with the project that they are of. */
const held = signal<{ readonly projectKey: string; readonly types: ProjectTypes } | undefined>(undefined);

/** The types of the open project; undefined until they are read. */
export const projectTypes = computed(() =>
  held.value?.projectKey === place.value.projectKey ? held.value?.types : undefined,
);

const noTypes: ProjectTypes = { version: 0, discriminator: 'type', closed: false, types: {}, unique: [] };

export const typesPath = (projectKey: string): string => pathOf(projectKey, 'settings', 'types');

/** Keeps types that the service has sent, for all that shows resources. */
export function keepTypes(projectKey: string, types: ProjectTypes): void {
  held.value = { projectKey, types };
}

/** Reads the types, also where an earlier version of them is known. Throws `ApiError`. */
export async function readTypes(projectKey: string): Promise<ProjectTypes> {
  const types = await read<ProjectTypes>(projectKey, { path: typesPath(projectKey) });
  keepTypes(projectKey, types);
  return types;
}

/** The types of the open project, which are read once. They are a help: where they cannot be read, it has none. */
export function useTypes(projectKey: string): ProjectTypes | undefined {
  useEffect(() => {
    if (projectTypes.value === undefined) readTypes(projectKey).catch(() => keepTypes(projectKey, noTypes));
  }, [projectKey]);
  return projectTypes.value;
}

/** What people edit, without what the service adds. */
export const settingsOf = ({ discriminator, closed, types }: TypeSettings): JsonMap =>
  ({ discriminator, closed, types }) as unknown as JsonMap;

/** The name of the type of a document, if it is declared. */
export function typeNameOf(types: TypeSettings | undefined, document: JsonMap | undefined): string | undefined {
  const name = types && document && Object.hasOwn(document, types.discriminator) && document[types.discriminator];
  return typeof name === 'string' && Object.hasOwn(types!.types, name) ? name : undefined;
}

/** What people call a type. */
export const titleOf = (name: string, { name: title }: TypeDefinition): string => title ?? name;

/** The predicate for the resources of a type. */
export function whereType({ discriminator }: TypeSettings, name: string): string {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(discriminator);
  return `${isPlain ? discriminator : `\`${discriminator.replaceAll('`', '``')}\``} = ${JSON.stringify(name)}`;
}
