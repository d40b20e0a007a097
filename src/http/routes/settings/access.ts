import { accessSettingsDraftSchema, accessSettingsExample, accessSettingsSchema } from '../../../contract/settings.ts';
import { accessSettings } from '../../../domain/access/access-settings.ts';
import type { Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonBody } from '../json.ts';
import { storedSettingsRoutes } from './stored-settings.ts';

const current = answer('The settings.', accessSettingsSchema, accessSettingsExample, ['ETag']);

/** What tokens with view_published may see of a project. */
export function accessSettingsRoutes(deps: RouteDeps): readonly Route[] {
  return storedSettingsRoutes(deps, accessSettings, current, {
    read: {
      operationId: 'getAccessSettings',
      access: ['manage_project'],
      summary: 'Read the private paths',
      description: 'A project without settings has no private paths, in version 0.',
    },
    replace: {
      operationId: 'replaceAccessSettings',
      access: ['manage_project'],
      summary: 'Replace the private paths',
      description:
        'Tokens with view_published neither see the fields at these paths, and all below them, nor search, filter, sort, group or count by them. If there is a `version`, it must be the current one. The next read follows the settings; one that another process of the service answers, within a second.',
      body: jsonBody(accessSettingsDraftSchema, accessSettingsExample),
    },
  });
}
