import { signal } from '@preact/signals';
import type { Page } from '../model/pages.ts';
import { readService, session } from './session.ts';

/** A project that can be opened. */
export interface ListedProject {
  readonly key: string;
  /** Its resources, where the service says so; counted up to some thousands. */
  readonly resources?: number;
  /** There are more than `resources`. */
  readonly resourcesRelation?: 'gte';
}

/** The projects that were read; `next` continues. */
export interface ProjectList {
  readonly projects: readonly ListedProject[];
  readonly next?: string | undefined;
}

/** The projects that were listed last; undefined before. */
export const projectList = signal<ProjectList | undefined>(undefined);

const pageSize = '100';

/**
 * Lists the projects that whoever is logged in can open: those of their scopes, or all. `next`: to add those that follow.
 * Throws `ApiError`.
 */
export async function loadProjects(next?: string): Promise<void> {
  const { isAdministrator, projectKeys } = session.value ?? {};
  if (!isAdministrator) {
    projectList.value = { projects: (projectKeys ?? []).map((key) => ({ key })) };
    return;
  }
  const query = new URLSearchParams({ limit: pageSize, ...(next !== undefined && { cursor: next }) });
  const page = await readService<Page<ListedProject>>({ path: '/health/projects', query });
  const before = next === undefined ? [] : (projectList.value?.projects ?? []);
  projectList.value = { projects: [...before, ...page.results], next: page.next };
}
