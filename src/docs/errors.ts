import { type ErrorCode, type ErrorRow, errorBody } from '../contract/errors.ts';
import { markdownPage, markdownTable } from './markdown.ts';

const introduction = [
  'Every answer with a 4xx or 5xx status has a JSON body of one shape (decision 2; HEAD answers have no body).',
  'Read `errors[0].code`: codes are stable, messages may become clearer. `message` repeats the first error.',
  'Every answer names its `X-Correlation-ID`; the log has the same id.',
].join('\n');

function example(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>>): string {
  return ['```json', JSON.stringify(errorBody(code, message, details), null, 2), '```'].join('\n');
}

const examples = [
  'A write that came too late, and a request without a token:',
  example(
    'ConcurrentModification',
    'Object 0192f0c1-5a10-7000-8000-000000000001 has a different version than expected. Expected: 2 - Actual: 3.',
    { currentVersion: 3, changedFields: ['someProperty'] },
  ),
  example('invalid_token', 'This endpoint requires an access token.', {}),
];

/** docs/errors.md: every code with status, meaning and extra fields, ordered by status. */
export function errorsMarkdown(errors: Readonly<Record<string, ErrorRow>>): string {
  const rows = Object.entries(errors)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, meaning, fields = [] }]) => {
      return [String(status), `\`${code}\``, meaning, fields.map((field) => `\`${field}\``).join(', ')];
    });
  const oauth =
    'The codes in small letters are those of OAuth 2.0; their bodies also have `error` and `error_description`.';
  const table = markdownTable(['Status', 'Code', 'When', 'Extra fields'], rows);
  return markdownPage('Errors', [introduction, ...examples, '## Codes', table, oauth]);
}
