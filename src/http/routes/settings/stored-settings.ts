import { type SettingsKind, viewSettings, writeSettings } from '../../../domain/settings/stored-settings.ts';
import type { ResponseDescription, Route, RouteBody } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { conditional, conditionHeaders, externalUserHeader, ifMatchHeader, ifNoneMatchHeader } from '../headers.ts';
import { writeErrors, writeOf } from '../resources/resource.ts';
import { versionParameter } from '../version-parameter.ts';

type Described = Pick<Route, 'operationId' | 'summary' | 'description' | 'access'>;

/** The two routes of a kind of settings: to read them, and to replace them. */
export function storedSettingsRoutes(
  deps: RouteDeps,
  kind: SettingsKind<unknown>,
  current: ResponseDescription,
  { read, replace }: { readonly read: Described; readonly replace: Described & { readonly body: RouteBody } },
): readonly Route[] {
  const shared = { tag: 'Settings', path: `/:projectKey/settings/${kind.id}` } as const;
  return [
    {
      ...shared,
      ...read,
      method: 'GET',
      headers: conditionHeaders,
      responses: { 200: current, 304: { description: 'What the client has is current.', headers: ['ETag'] } },
      errors: ['PreconditionFailed'],
      async handler(request) {
        const { etag, body } = viewSettings(kind, await deps.settings.record(kind, request.projectKey));
        return conditional(request, etag, { status: 200, body });
      },
    },
    {
      ...shared,
      ...replace,
      method: 'PUT',
      query: versionParameter,
      headers: [ifMatchHeader, ifNoneMatchHeader, externalUserHeader],
      responses: { 200: current },
      errors: writeErrors,
      async handler(request) {
        try {
          // They are stored as JSON within JSON.
          const write = writeOf(request, { ...deps, maxDocumentBytes: 2 * deps.maxDocumentBytes });
          return await writeSettings(kind, write, request.json);
        } finally {
          deps.settings.forget(kind, request.projectKey);
        }
      },
    },
  ];
}
