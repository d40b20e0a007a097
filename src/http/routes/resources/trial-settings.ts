import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { parseJson } from '../../../domain/json/parse.ts';
import type { SearchSettings } from '../../../domain/search/settings.ts';
import { parseSettings, settingsOf } from '../../../domain/search/settings-draft.ts';
import { requireScope } from '../../request/authorize.ts';
import { prepareParameters } from '../../request/query.ts';
import type { ApiRequest, ParameterTable, QueryValues } from '../../route.ts';
import { searchParameters } from './list-parameters.ts';

/** Settings that one search follows instead of those of the project, to see what they would do (decision 149). */

const trialParameters = {
  settings: {
    type: 'string',
    description: 'JSON of settings that this search follows instead of those of the project, which stay as they are.',
  },
} as const satisfies ParameterTable;

/** The parameters of a search in a form. */
export const searchFormParameters = prepareParameters({ ...searchParameters, ...trialParameters });

/**
 * The settings in a form; undefined if the form has none. A client that may see their effect on the whole project may write
 * them as well. Throws 403 without the scope manage_project, and 400 that names the place.
 */
export function trialSettings({ caller, projectKey }: ApiRequest, values: QueryValues): SearchSettings | undefined {
  const text = values.get('settings') as string | undefined;
  if (text === undefined) return undefined;
  if (caller) requireScope(caller, ['manage_project'], projectKey);
  try {
    return settingsOf(parseSettings(parseJson(text)), 'trial');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw malformedParameter('settings', String(error.details.detailedErrorMessage ?? error.message));
  }
}
