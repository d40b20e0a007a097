import { type Language, languages } from '#words';
import { type Setting, settingTable } from '../../src/config/settings.ts';
import { type ErrorCode, type ErrorRow, errorBody, errorTable } from '../../src/contract/errors.ts';
import { scopeTable, serviceScope, serviceScopeMeaning } from '../../src/contract/scopes.ts';
import { markdownPage, markdownTable } from './markdown.ts';
import { operationsMarkdown } from './operations.ts';

/** The generated files of docs/ by name. `openApiText` is the OpenAPI document as JSON text. */
export function generatedDocuments(openApiText: string): ReadonlyMap<string, string> {
  return new Map([
    ['configuration.md', configurationMarkdown(settingTable)],
    ['errors.md', errorsMarkdown(errorTable)],
    ['scopes.md', scopesMarkdown(scopeTable)],
    ['languages.md', languagesMarkdown(languages)],
    ['operations.md', operationsMarkdown(openApiText)],
    ['openapi.json', openApiText.endsWith('\n') ? openApiText : `${openApiText}\n`],
  ]);
}

/** The form of a variable, with bounds and unit. */
function form({ type, min, max, unit }: Setting): string {
  if (type === 'port') return 'port, 0–65535';
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'list') return 'list, separated by commas';
  if (type !== 'integer') return type;
  const bounds = min === undefined && max === undefined ? '' : `, ${min ?? '…'}–${max ?? '…'}`;
  return `integer${bounds}${unit ? ` ${unit}` : ''}`;
}

function groupTable(settings: readonly Setting[]): string {
  const rows = settings.map((setting) => {
    const value = setting.default === undefined ? '–' : `\`${setting.default}\``;
    return [`\`${setting.variable}\``, form(setting), value, setting.meaning];
  });
  return markdownTable(['Variable', 'Form', 'Default', 'Meaning'], rows);
}

/** docs/configuration.md: every setting, by group in the order of the table. */
function configurationMarkdown(settings: Readonly<Record<string, Setting>>): string {
  const groups = Map.groupBy(Object.values(settings), ({ group }) => group);
  const parts = [...groups].flatMap(([group, members]) => [`## ${group}`, groupTable(members)]);
  const introduction = [
    'Settings are environment variables, read once at the start. An empty variable counts as unset.',
    'A *secret* can be in a file instead, such as one of Docker or Kubernetes: the variable with `_FILE` at its end names it, as',
    'in `DATABASE_URL_FILE=/run/secrets/database-url`. A line break at its end is dropped. Set one of both variables.',
    'If any of them is invalid, the service lists all problems and exits with code 78.',
    'Values of the form *secret* never appear in messages or logs.',
  ].join('\n');
  return markdownPage('Configuration', [introduction, ...parts]);
}

const errorsIntroduction = [
  'Every response with a 4xx or 5xx status has a JSON body of one shape (decision 2; responses to HEAD have no body).',
  'Read `errors[0].code`: codes are stable, messages may become clearer. `message` repeats the first error.',
  'Every response has an `X-Correlation-ID`; the log has the same id.',
].join('\n');

function errorExample(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>>): string {
  return ['```json', JSON.stringify(errorBody(code, message, details), null, 2), '```'].join('\n');
}

const errorExamples = [
  'A write with a stale version, and a request without a token:',
  errorExample(
    'ConcurrentModification',
    'Object 0192f0c1-5a10-7000-8000-000000000001 has a different version than expected. Expected: 2 - Actual: 3.',
    { currentVersion: 3, changedFields: ['someProperty'] },
  ),
  errorExample('invalid_token', 'This endpoint requires an access token.', {}),
];

/** docs/errors.md: every code with status, meaning and extra fields, ordered by status. */
function errorsMarkdown(errors: Readonly<Record<string, ErrorRow>>): string {
  const rows = Object.entries(errors)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, meaning, fields = [] }]) => {
      return [String(status), `\`${code}\``, meaning, fields.map((field) => `\`${field}\``).join(', ')];
    });
  const oauth =
    'The codes in lower case are those of OAuth 2.0; their bodies also have `error` and `error_description`.';
  const table = markdownTable(['Status', 'Code', 'When', 'Extra fields'], rows);
  return markdownPage('Errors', [errorsIntroduction, ...errorExamples, '## Codes', table, oauth]);
}

const scopesIntroduction = [
  'A token carries scopes of the form `name:projectKey`, for instance `view_test:my-shop` (decisions 28 and 29).',
  'A project exists as soon as a token has a scope for it (decision 6).',
].join('\n');

/** docs/scopes.md: every scope with what it grants and implies. */
function scopesMarkdown(
  scopes: Readonly<Record<string, { readonly meaning: string; readonly implies: readonly string[] }>>,
): string {
  const rows = Object.entries(scopes).map(([name, { meaning, implies }]) => {
    return [`\`${name}\``, meaning, implies.map((implied) => `\`${implied}\``).join(', ')];
  });
  const admin =
    'The administrator client of the first start (decision 30) may request any scope of any project and names those it needs.';
  const service = `One scope has no project, and is requested by its name alone: \`${serviceScope}\` (decision 145). ${serviceScopeMeaning}`;
  const table = markdownTable(['Scope', 'Grants', 'Implies'], rows);
  return markdownPage('Scopes', [scopesIntroduction, table, admin, service]);
}

const languagesIntroduction = [
  'Languages for which search has rules of its own (decision 21); see [search-reference.md](search-reference.md#how-words-match). The language is the first',
  'part of a locale: `text.de` and `text.de-AT` both stem German words. Texts in every other language are found by their',
  'words as written, in any case and with or without accents.',
  '',
  'Where there are heads of compounds, `kleid` finds *Sommerkleid*; the table names the letters that may stand between the',
  'parts. Stop words need not occur and weigh little; what people ask a shop with (*buy*, *suche*) is among them. In every language',
  'two words find the one that they make and the',
  'other way round, `10 l` finds `10l`, and a code is found without its separators. Chinese, Japanese and Korean names are',
  'found by any two letters that follow each other as well, Arabic words with and without their article. Japanese is the same',
  'in hiragana, katakana and half width; kanji are found as they are written, not by how they are read. Many languages have a',
  'list of irregular forms (*feet*, *children*), and Arabic patterns of broken plurals (`أقلام` of `قلم`). While a word is typed, its',
  'last letters may be a part of an ending (`runni`) in all languages with inflected forms but Japanese and Tamil.',
].join('\n');

/** docs/languages.md: every language that search knows, by name. */
function languagesMarkdown(languages: readonly Language[]): string {
  const rows = languages
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ code, name, stemmer, stopWords, links, usesDictionary }) => [
      `\`${code}\``,
      name,
      stemmer ? (stemmer === 'own' ? 'by light rules' : 'yes') : '–',
      links ? ['yes', ...links.map((link) => `-${link}-`)].join(' ') : '–',
      stopWords ? 'yes' : '–',
      usesDictionary ? 'a dictionary' : 'spaces and punctuation',
    ]);
  const head = [
    'Code',
    'Language',
    'Inflected forms match',
    'Heads of compounds',
    'Stop words',
    'Words are separated by',
  ];
  return markdownPage('Languages of search', [languagesIntroduction, markdownTable(head, rows)]);
}
