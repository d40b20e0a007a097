import { searchSettingsDraftSchema, searchSettingsExample, searchSettingsSchema } from '../../../contract/settings.ts';
import { viewSettings, writeSettings } from '../../../domain/search/stored-settings.ts';
import type { Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { conditional, conditionHeaders, externalUserHeader, ifMatchHeader, ifNoneMatchHeader } from '../headers.ts';
import { answer, jsonBody } from '../json.ts';
import { writeErrors, writeOf } from '../resources/resource.ts';
import { versionParameter } from '../version-parameter.ts';

const shared = {
  tag: 'Settings',
  path: '/:projectKey/settings/search',
  access: ['manage_project'],
} as const satisfies Partial<Route>;

const current = answer('The settings.', searchSettingsSchema, searchSettingsExample, ['ETag']);

/** The settings of a project (decision 133). */
export function settingsRoutes(deps: RouteDeps): readonly Route[] {
  return [
    {
      ...shared,
      operationId: 'getSearchSettings',
      method: 'GET',
      summary: 'Read the settings of the search',
      description: 'A project without settings has the defaults, in version 0.',
      headers: conditionHeaders,
      responses: { 200: current, 304: { description: 'What the client has is current.', headers: ['ETag'] } },
      errors: ['PreconditionFailed'],
      async handler(request) {
        const { etag, body } = viewSettings(await deps.settings.record(request.projectKey));
        return conditional(request, etag, { status: 200, body });
      },
    },
    {
      ...shared,
      operationId: 'replaceSearchSettings',
      method: 'PUT',
      summary: 'Replace the settings of the search',
      description:
        'What is absent gets its default. If there is a `version`, it must be the current one. The next search follows the settings; one that another process of the service answers, within a second.',
      query: versionParameter,
      headers: [ifMatchHeader, ifNoneMatchHeader, externalUserHeader],
      body: jsonBody(searchSettingsDraftSchema, searchSettingsExample),
      responses: { 200: current },
      errors: writeErrors,
      async handler(request) {
        try {
          // They are stored as JSON within JSON.
          const write = writeOf(request, { ...deps, maxDocumentBytes: 2 * deps.maxDocumentBytes });
          return await writeSettings(write, request.json);
        } finally {
          deps.settings.forget(request.projectKey);
        }
      },
    },
  ];
}
