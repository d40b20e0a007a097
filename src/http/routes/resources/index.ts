import type { Route } from '../../route.ts';
import { complexRoutes } from './complex.ts';
import { resourceReadRoutes } from './reads.ts';
import type { ResourceDeps } from './shared.ts';
import { resourceWriteRoutes } from './writes.ts';

/** Everything on single resources: E2, E3 and E6 to E11. */
export function resourceRoutes(deps: ResourceDeps): readonly Route[] {
  return [...resourceReadRoutes(deps), ...resourceWriteRoutes(deps), ...complexRoutes(deps)];
}
