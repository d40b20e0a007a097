import type { Parameter, ParameterTable } from '../../route.ts';

/**
 * Parameters of other endpoints on E1, E4, E5 and E12 (decision 96). A condition among them is refused, because without it
 * the client would get every resource. Any other is accepted with any value and ignored, for clients that send one set
 * of parameters to all endpoints.
 */

const strings = { type: 'string', repeatable: true } as const;

/** Parameters that are accepted and ignored. */
export function ignored(names: readonly string[]): ParameterTable {
  const description = 'A parameter of another endpoint. Ignored here.';
  return Object.fromEntries(names.map((name) => [name, { ...strings, ignored: true, description }]));
}

function refused(names: readonly string[], elsewhere: string): ParameterTable {
  const parameter: Parameter = { ...strings, description: 'A parameter of another endpoint. Refused here.', elsewhere };
  return Object.fromEntries(names.map((name) => [name, parameter]));
}

const instead = 'this endpoint takes `where`';
const list = 'GET /{projectKey}/resource';
const search = 'GET /{projectKey}/resource/searchApiPattern';

/** The parameters of E4, on lists and the existence check. */
export const ofTheSearch: ParameterTable = {
  ...ignored(['fuzzy', 'fuzzyLevel', 'match', 'prefix', 'highlight', 'explain']),
  ...refused(['text.*', 'filter', 'filter.query'], `a parameter of ${search}; ${instead}`),
  ...refused(['filter.facets', 'facet'], `a parameter of ${search}, which alone counts facets`),
};

/** The conditions of E1 and E5, on endpoints without them. */
export function ofTheList(conditions: ParameterTable): ParameterTable {
  const parameters = refused(Object.keys(conditions), `a parameter of ${list}; ${instead}`);
  return Object.fromEntries(
    // An object stays one, so that the names `objectParameter[…]` are known.
    Object.entries(parameters).map(([name, parameter]) => [name, { ...parameter, type: conditions[name]!.type }]),
  );
}

/** Parameters of single resources and of images. */
export const ofOtherResources: ParameterTable = {
  ...ignored(['optionalQueryParameter', 'secondOptionalQueryParameter', 'queryParameterOne', 'queryParameterTwo']),
  ...ignored(['filename']),
  ...refused(['sku', 'variant'], `a parameter of GET /{projectKey}/resource/images; ${instead}`),
};
