import { type Call, curlOf } from './client.ts';
import { writeJson } from './json.ts';

/** A call as programs write it, for people to copy. */

/** The client of this service for programs. */
const clientPackage = JSON.stringify('generic-resource-service-client');

/** The file that a snippet uploads, where the call has a body that is no JSON. */
const file = 'image.jpg';

/** The call as a command for a shell; a body that is no JSON is read from a file. */
export function shellOf(call: Call, origin: string): string {
  const { body, headers = {} } = call;
  if (body === undefined) return curlOf(call, origin);
  const type = headers['content-type'] ?? body.type;
  return `${curlOf(call, origin)} -H 'content-type: ${type}' --data-binary @${file}`;
}

/** The parameters as an object; those that are repeated have lists. */
function queryOf(query: URLSearchParams): string {
  const names = [...new Set(query.keys())];
  const entries = names.map((name) => {
    const values = query.getAll(name);
    return [name, values.length === 1 ? values[0]! : values] as const;
  });
  return JSON.stringify(Object.fromEntries(entries), undefined, 2);
}

/** The call as a program with the client of this service. `origin`: such as `https://api.example.com`. */
export function typescriptOf({ method = 'GET', path, query, json, body }: Call, origin: string): string {
  const [, projectKey = '', ...rest] = path.split('/');
  const members = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `path: ${JSON.stringify(`/${rest.join('/')}`)}`,
    ...(query && query.size > 0 ? [`query: ${queryOf(query)}`] : []),
    ...(json === undefined ? [] : [`body: ${writeJson(json, 2)}`]),
    ...(body === undefined ? [] : [`body: await openAsBlob('${file}', { type: '${body.type}' })`]),
  ].map((member) => `  ${member.replaceAll('\n', '\n  ')},\n`);
  return `import { createClient } from ${clientPackage};
${body === undefined ? '' : 'import { openAsBlob } from "node:fs";\n'}
const client = createClient({
  baseUrl: ${JSON.stringify(origin)},
  projectKey: ${JSON.stringify(decodeURIComponent(projectKey))},
  credentials: { clientId: '…', clientSecret: '…' },
});
const { body } = await client.request({
${members.join('')}});
`;
}
