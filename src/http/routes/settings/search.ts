import { searchSettingsDraftSchema, searchSettingsExample, searchSettingsSchema } from '../../../contract/settings.ts';
import { searchSettings } from '../../../domain/search/settings-draft.ts';
import type { Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonBody } from '../json.ts';
import { storedSettingsRoutes } from './stored-settings.ts';

const current = answer('The settings.', searchSettingsSchema, searchSettingsExample, ['ETag']);

/** The settings of the search of a project (decision 133). */
export function searchSettingsRoutes(deps: RouteDeps): readonly Route[] {
  return storedSettingsRoutes(deps, searchSettings, current, {
    read: {
      operationId: 'getSearchSettings',
      access: ['manage_project'],
      summary: 'Read the settings of the search',
      description: 'A project without settings has the defaults, in version 0.',
    },
    replace: {
      operationId: 'replaceSearchSettings',
      access: ['manage_project'],
      summary: 'Replace the settings of the search',
      description:
        'What is absent gets its default. If there is a `version`, it must be the current one. The next search follows the settings; one that another process of the service answers, within a second.',
      body: jsonBody(searchSettingsDraftSchema, searchSettingsExample),
    },
  });
}
