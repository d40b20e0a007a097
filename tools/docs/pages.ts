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
  return [
    '```json',
    JSON.stringify(errorBody({ code, message, details, status: errorTable[code].status }), null, 2),
    '```',
  ].join('\n');
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
  'words as written, in any case and with or without accents; in Vietnamese, where accents tell words apart, a word with others than the asked ones',
  'counts little.',
  '',
  'Where there are heads of compounds, `kleid` finds *Sommerkleid*; the table names the letters that may stand between the',
  'parts. Stop words need not occur and weigh little; what people ask a shop with (*buy*, *suche*) is among them. In every language',
  'two words find the one that they make and the',
  'other way round, `10 l` finds `10l`, and a code is found without its separators. Chinese, Japanese and Korean names are',
  'found by any two letters that follow each other as well, Arabic words with and without their article. Japanese is the same',
  'in hiragana, katakana and half width; kanji are found as they are written, not by how they are read. Arabic has patterns of',
  'broken plurals (`أقلام` of `قلم`). While a word is typed, its',
  'last letters may be a part of an ending (`runni`) in all languages with inflected forms but Japanese and Tamil.',
].join('\n');

const tablesIntroduction = [
  '## Tables of forms',
  '',
  'A form in the table of its language has the stem of its lemma: `ging` is a form of *gehen*. Every other word has the stem that the rules',
  'of the stemmer give, which is also that of a lemma in the table: so a compound or a new word finds its forms. A table has the',
  'forms that simplemma 2.0.0 knows of the 100,000 most frequent words of wordfreq 3.1.1: 12,000 to 88,000 forms, 26 tables,',
  '3.3 MB. The first word of a language takes 6 to 40 ms of CPU time and up to 10 MB of memory for its table. Simplemma was chosen because it alone has all of',
  'these languages with permission to redistribute; sources and licences are in `packages/words/tables/LICENSE.txt`. Forms that shops',
  'need and the dictionary takes for another word (`Betten`, which is a verb as well) are listed by hand in `tools/lemmas`.',
  '',
  'A form that two words have is one of the more frequent spelling. A lemma that has four forms or more is a word of its own, although it',
  'may be a form of another one. Where two lemmas share a stem, the one with most forms keeps it and the others are apart,',
  'but for words of which only two forms are known: those may be plurals that the dictionary takes for verbs. Forms that do not',
  'begin with the same two letters are asked for as synonyms.',
  '',
  '`npm run bench:forms` judges both ways between the 400 most frequent forms and their lemmas, and the 400 behind the first 2,000: found,',
  'and the share of hits among all of them that belongs to another lemma. The table and the judge share their dictionary: the figures say',
  'what the table keeps of it, not how good that is. It does not generalize: of forms that are left out of it, every second one of the',
  '4,000 most frequent, German finds 52 %, Polish 41 %, Swedish 47 %, Hungarian 43 %, English 84 %. From → to, without the table and with it (2026-11-29):',
].join('\n');

const nynorskForms = [
  'Of the 77 foreign hits of Nynorsk (in 709) 61 are the same word in another spelling that the language allows, which the dictionary has as two lemmas:',
  'forms of *prøve* find *prøva*, those of *ønske* *ønska*. A search may find these together; without them 2 % are foreign.',
].join('\n');

/** From `npm run bench:forms`, before there were tables and with them. */
const formsFigures: readonly (readonly string[])[] = [
  'ar 19→99 35→4 23→100 30→7',
  'cs 42→99 10→1 68→100 3→0',
  'da 67→97 10→2 83→100 11→4',
  'de 60→98 4→0 64→99 4→1',
  'el 66→100 20→5 72→100 10→1',
  'en 79→99 5→2 96→100 4→4',
  'es 58→100 9→2 80→100 2→2',
  'fi 40→94 9→0 58→98 5→1',
  'fr 57→100 10→3 79→100 10→6',
  'hi 62→100 15→5 81→100 12→1',
  'hu 74→92 31→2 87→98 35→4',
  'id 18→100 0→0 23→100 0→0',
  'it 62→100 12→4 82→100 11→10',
  'lt 71→98 10→7 81→99 12→1',
  'nb 58→97 8→4 81→100 7→0',
  'nl 49→96 9→1 64→99 3→2',
  'nn 54→99 26→11 74→100 13→5',
  'pl 53→100 7→1 59→99 4→1',
  'pt 67→100 8→4 90→100 13→9',
  'ro 55→94 19→3 75→98 12→1',
  'ru 69→99 7→1 88→100 7→0',
  'sr 50→98 5→3 64→98 8→2',
  'sv 60→92 16→4 86→98 7→3',
  'tr 30→98 4→0 35→99 3→0',
  'uk 54→99 5→1 73→100 3→0',
].map((row) => row.split(' ').map((cell, at) => (at === 0 ? `\`${cell}\`` : `${cell.replace('→', ' → ')} %`)));

/** docs/languages.md: every language that search knows, by name. */
function languagesMarkdown(languages: readonly Language[]): string {
  const rows = languages
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ code, name, stemmer, lemmas, stopWords, links, usesDictionary }) => [
      `\`${code}\``,
      name,
      stemmer ? `${stemmer === 'own' ? 'by light rules' : 'yes'}${lemmas ? ', and a table' : ''}` : '–',
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
  return markdownPage('Languages of search', [
    languagesIntroduction,
    markdownTable(head, rows),
    tablesIntroduction,
    markdownTable(['Code', 'Found', 'Foreign hits', 'Found among rarer forms', 'Foreign hits'], formsFigures),
    nynorskForms,
  ]);
}
