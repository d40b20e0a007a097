import type { Answer, Api } from './api.ts';

/** The endpoints of the interface, as reports name them. */
export const endpoints = {
  access: 'Authorization',
  E1: 'GET /resource',
  E2: 'GET /resource/{id}',
  E3: 'GET /resource/key={key}',
  E4: 'GET /resource/searchApiPattern',
  E5: 'HEAD /resource',
  E6: 'POST /resource',
  E7: 'PATCH /resource',
  E8: 'PUT /resource',
  E9: 'POST /resource/artificially-complex/…',
  E10: 'POST /resource/{id}',
  E11: 'DELETE /resource/{id}',
  E12: 'GET /resource/sorted-query-parameters',
  E13: 'POST /resource/images',
  E14: 'POST /resource/namespace-action',
  E15: 'GET /resource/namespace-action',
  E16: 'GET /resource/namespace-action-with-example',
  E17: 'GET /resource/namespace-action-with-headers',
  E18: 'PUT /resource/json-serializable-primitive-type',
} as const;

export type Endpoint = keyof typeof endpoints;

/** `interface`: what every implementation does. `contract`: what this service decided where the interface is silent. */
export type Level = 'interface' | 'contract';

/** One claim about an endpoint. `run` throws `Deviation` where it does not hold. */
export interface Check {
  readonly endpoint: Endpoint;
  readonly level: Level;
  readonly claim: string;
  readonly run: (api: Api) => Promise<void>;
}

/** The implementation answered something else than the claim says. */
export class Deviation extends Error {}

type Run = Check['run'];

/** Checks of one endpoint, in the order in which they run. */
export function checksOf(
  endpoint: Endpoint,
  claims: Readonly<Record<Level, Readonly<Record<string, Run>>>>,
): readonly Check[] {
  return (['interface', 'contract'] as const).flatMap((level) =>
    Object.entries(claims[level]).map(([claim, run]) => ({ endpoint, level, claim, run })),
  );
}

const textOf = (value: unknown) => JSON.stringify(value) ?? 'nothing';
const shown = (value: unknown) => textOf(value).slice(0, 300);

/** The answer; throws unless it has one of the statuses. */
export function expectStatus(answer: Answer, ...statuses: readonly number[]): Answer {
  if (statuses.includes(answer.status)) return answer;
  const body = answer.text === '' ? '' : `: ${answer.text.slice(0, 300)}`;
  throw new Deviation(`${answer.request}: expected status ${statuses.join(' or ')}, got ${answer.status}${body}`);
}

/** Throws unless two values are equal as JSON. `what` names the value in the answer. */
export function expectEqual(answer: Answer, what: string, actual: unknown, expected: unknown): void {
  if (textOf(actual) === textOf(expected)) return;
  throw new Deviation(`${answer.request}: expected ${what} ${shown(expected)}, got ${shown(actual)}`);
}

/** Throws unless something holds; `what` says it. */
export function expectThat(answer: Answer, what: string, holds: boolean): void {
  if (!holds) throw new Deviation(`${answer.request}: expected ${what}; got ${answer.text.slice(0, 300)}`);
}

/** Throws unless the request itself was refused: an endpoint that is not there refuses nothing. */
export function expectRefusal(answer: Answer): void {
  const { status } = answer;
  const isRefusal = status >= 400 && status < 500 && status !== 404 && status !== 405;
  expectThat(answer, `a status of refusal, not ${status}`, isRefusal);
}

/** Throws unless the answer is JSON of an ObjectTestType. */
export function expectResource(answer: Answer): void {
  expectJson(answer);
  const { json } = answer;
  expectThat(answer, 'an integer version of at least 1', Number.isInteger(json?.version) && json.version >= 1);
  const nested = json.objectTypeProperty;
  expectThat(answer, 'an object objectTypeProperty', typeof nested === 'object' && nested !== null);
}

/** Throws unless the answer is declared as JSON and is some. */
export function expectJson(answer: Answer): void {
  const type = answer.headers.get('content-type') ?? '';
  expectThat(answer, `the content type application/json, not ${type}`, /^application\/json\b/.test(type));
  expectThat(answer, 'a JSON body', answer.json !== undefined);
}

/** Throws unless the answer refuses with this status, in the shape of errors. */
export function expectRefused(answer: Answer, status: number, code?: string): void {
  expectStatus(answer, status);
  expectJson(answer);
  const { statusCode, message, errors } = answer.json;
  expectEqual(answer, 'statusCode', statusCode, status);
  expectThat(answer, 'a message and errors', typeof message === 'string' && Array.isArray(errors) && errors.length > 0);
  if (code !== undefined) expectEqual(answer, 'errors[0].code', errors[0].code, code);
}
