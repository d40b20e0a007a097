import { accessSettings } from '../../../domain/access/access-settings.ts';
import type { PrivatePaths } from '../../../domain/access/private-paths.ts';
import { PublishedReads } from '../../../domain/access/published-reads.ts';
import type { ResourceReads } from '../../../domain/ports/store.ts';
import { insufficientScope } from '../../request/authorize.ts';
import type { ApiRequest } from '../../route.ts';
import type { RouteDeps } from '../all.ts';

/** The parts that reads use. `hidden`: of a caller that sees only what is published. */
export type ReadDeps = Omit<RouteDeps, 'store'> & { readonly store: ResourceReads; readonly hidden?: PrivatePaths };

/** The parts of the service that a caller reads by who sees only what is published. Rejects with 403 where it asks for drafts or history. */
export async function publishedParts(deps: RouteDeps, { projectKey, query }: ApiRequest): Promise<ReadDeps> {
  if (query.get('staged') === true || query.has('version')) {
    throw insufficientScope([`manage_test:${projectKey}`, `view_test:${projectKey}`]);
  }
  const hidden = await deps.settings.of(accessSettings, projectKey);
  const { store, eventual } = deps;
  return {
    ...deps,
    hidden,
    store: new PublishedReads(store, projectKey, hidden),
    eventual: eventual && new PublishedReads(eventual, projectKey, hidden),
  };
}
