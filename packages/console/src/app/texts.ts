import { eventTexts } from './texts-events.ts';
import { operationTexts } from './texts-operation.ts';

type Named = Readonly<Record<string, string>>;

/** Such as “1 resource” and “12 resources”. */
const resources = (count: string) => (count === '1' ? '1 resource' : `${count} resources`);

const fields = (count: number) => (count === 1 ? '1 field has a draft' : `${count} fields have drafts`);

/**
 * Texts that several places show, sentences with values, and names that are chosen by a key. What a single place shows
 * stands there.
 */
export const texts = {
  title: 'Generic Resource Service',
  loading: 'Loading…',
  close: 'Close',
  cancel: 'Cancel',
  copyAs: 'Copy as',
  copyCurl: 'Copy as curl',
  apply: 'Apply',
  changed: 'Someone else has changed it. The current state is shown now; try again.',
  clearFilters: 'Clear filters',
  rooms: {
    resources: 'Resources',
    types: 'Types',
    search: 'Search',
    images: 'Images',
    events: 'Events',
    backends: 'Backend',
    access: 'Access',
    health: 'Health',
  },
  login: {
    heading: 'Log in',
    clientId: 'Client id',
    out: 'Log out',
    problems: {
      expired: 'The login took too long, or started in another browser. Try again.',
      failed: 'The login provider sent an invalid response. See the service log for the reason.',
      'no-rights': 'The login provider gives you no rights in this service. Ask its administrator.',
      refused: 'The login provider refused the login, or you cancelled it.',
    },
  },
  projects: { heading: 'Open a project', resources },
  resources: {
    add: 'Add',
    deleted: 'Deleted resources',
    staged: 'Staged',
    exportAll: 'Export all matches',
    selected: (count: string) => `${count} selected`,
    emptyProject: 'This project has no resources yet.',
    sample: 'Load the sample catalogue',
    selectRow: (name: string) => `Select ${name}`,
  },
  rowActions: 'Actions',
  resource: {
    version: (version: string) => `version ${version}`,
    tabs: { form: 'Form', json: 'JSON', staged: 'Staged', history: 'History' },
    save: (count: number) => (count === 0 ? 'Save' : count === 1 ? 'Save 1 change' : `Save ${count} changes`),
    delete: 'Delete',
    key: 'Key',
    saveFirst: 'Save or undo your changes first',
    types: {
      text: 'Text',
      localized: 'Text in languages',
      number: 'Number',
      boolean: 'Yes or no',
      date: 'Date',
      reference: 'Reference',
      list: 'List',
      object: 'Group',
    },
    removeField: (name: string) => `Remove ${name}`,
    localTime: (zone: string) => `In your time (${zone})`,
    jsonInvalid: 'This is not valid JSON:',
    numberInvalid: 'Enter a number',
    field: 'Field',
    back: 'Back to editing',
    none: 'none',
  },
  bulk: {
    headings: {
      setField: (count: string) => `Set a field of ${resources(count)}`,
      publish: (count: string) => `Publish ${resources(count)}`,
      delete: (count: string) => `Delete ${resources(count)}?`,
    },
    hints: {
      setField: 'Resources that someone else changes meanwhile are skipped and listed at the end.',
      publish: 'Readers see the staged changes. Resources without staged changes stay as they are.',
      delete:
        'Resources that someone else changes meanwhile are skipped and listed at the end. You can restore deleted resources.',
    },
    matching: {
      setField: 'Each resource is changed as it is then; those that no longer match are left alone.',
      publish: 'Readers see the staged changes. Resources without staged changes stay as they are.',
      delete: 'Resources that no longer match when their turn comes are left alone. You can restore deleted resources.',
    },
    check: 'Check',
    checking: 'Checking: nothing is changed…',
    checked: (changed: string, unchanged: string, refused: string) =>
      `Checked: ${resources(changed)} would change, ${unchanged} would stay as they are, ${refused} would be refused.`,
    submit: { setField: 'Set the field', publish: 'Publish', delete: 'Delete' },
    kinds: { text: 'Set a text', json: 'Set a number or JSON', remove: 'Remove the field' },
    progress: 'Progress',
    stop: 'Stop',
    reason: 'Reason',
    more: (count: number) => `and ${count.toLocaleString('en')} more`,
    undo: (count: number) => (count === 1 ? 'Undo it' : `Undo all ${count.toLocaleString('en')}`),
    restore: (count: number) => (count === 1 ? 'Restore it' : `Restore all ${count.toLocaleString('en')}`),
  },
  export: {
    heading: (count: string) => `Export ${resources(count)}`,
    formats: { ndjson: 'NDJSON: whole resources, a line each', csv: 'CSV: columns, for spreadsheets' },
    leftOut: (count: number, ids: readonly string[]) =>
      `The file lacks ${resources(count.toLocaleString('en'))} whose stored data is damaged: ${ids.join(', ')}${count > ids.length ? ', …' : ''}. Overwrite or delete them, or restore them from a backup.`,
  },
  import: {
    heading: 'Import a file',
    charsets: {
      'utf-8': 'UTF-8',
      'windows-1252': 'Windows-1252 (Western European, as Excel saves CSV)',
      'utf-16le': 'UTF-16 (Unicode text)',
      'utf-16be': 'UTF-16, big-endian',
    },
    wrongCharset: (line: string) =>
      `Line ${line} cannot be read. Choose another encoding; nothing after this line is sent.`,
    isWorkbook: 'This is a spreadsheet file. Save the sheet as “CSV UTF-8” and choose that file.',
    isGzip: 'This file is compressed. Decompress it and choose the file inside.',
    isUtf32: 'This file is UTF-32, which is not supported. Save it as UTF-8.',
    separators: { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' },
    mixed: (column: string, types: string) =>
      `The values of ${column} have several types: ${types}. Choose above how to read them.`,
    repeated: (count: number, line: number, earlier: number) =>
      `Lines that name the resource of an earlier line: ${count.toLocaleString('en')}, first line ${line.toLocaleString('en')} that of line ${earlier.toLocaleString('en')}. The later one counts.`,
    types: {
      auto: 'what it looks like',
      string: 'text',
      number: 'number',
      boolean: 'yes or no',
      list: 'list, with |',
      json: 'JSON',
    },
    examples: 'First values',
    modes: {
      merge: 'is merged into it: other fields stay',
      replace: 'replaces the fields that it has',
      overwrite: 'replaces all fields',
      create: 'is refused',
    },
    submit: (count: string) => `Import ${count}`,
    steps: {
      checking: (lines: string) => `Checking: ${lines} lines…`,
      checked: (lines: string) => `${lines} lines checked one by one; nothing is written yet.`,
      writing: (lines: string) => `Importing: ${lines} lines…`,
      written: (lines: string) => `${lines} lines done.`,
      stopped: (lines: string) => `Stopped after ${lines} lines, which are imported.`,
    },
    refused: 'Refused',
    cut: 'The connection was lost.',
  },
  drafts: {
    draft: 'Draft',
    readersSee: 'Readers see',
    exist: (count: number) => `${fields(count)}. The form shows what readers see.`,
    shown: (count: number) => `${fields(count)}. The form shows the draft; readers see it after publishing.`,
    by: ({ by = '?', at = '' }: { readonly by?: string; readonly at?: string }) =>
      `staged by ${by}, ${new Date(at).toLocaleString()}`,
    question: (count: number) => (count === 1 ? 'This save replaces a draft' : `This save replaces ${count} drafts`),
    replaceStaged: (count: number) => (count === 1 ? 'Stage and replace the draft' : 'Stage and replace the drafts'),
    replace: (count: number) => (count === 1 ? 'Save and replace the draft' : 'Save and replace the drafts'),
    keep: (count: number) => (count === 1 ? 'Save and keep the draft' : 'Save and keep the drafts'),
  },
  search: {
    levels: { '': 'as many as the length of a word allows', '1': 'one at most', '0': 'none' } as Named,
    matches: {
      '': 'As the settings say',
      auto: 'All, else most or any',
      all: 'All',
      most: 'Most',
      any: 'Any',
    } as Named,
    options: 'Facets',
    rungs: {
      all: 'All words, in any of their forms',
      typos: 'All words, but for typos',
      most: 'Most of the words',
      any: 'Any of the words',
    } as Named,
    rungShort: { all: 'all words', typos: 'with typos', most: 'most words', any: 'some words' } as Named,
    dropped: (words: readonly string[]) =>
      `No resource has ${words.map((word) => `“${word}”`).join(', ')}; ${words.length === 1 ? 'it was' : 'they were'} left out`,
    ignored: (words: readonly string[]) =>
      `Only the 64 words that say most count; left out: ${words.map((word) => `“${word}”`).join(', ')}`,
    parts: { searches: 'Searched texts', settings: 'Settings of the search' } as Named,
    grouped: (more: number, value: string | undefined) => `${more.toLocaleString('en')} more with ${value}`,
    why: (score: string) => `Score ${score}`,
    whyOf: (name: string) => `Why ${name} is here`,
    forms: {
      written: 'as written',
      inflected: 'another form',
      joined: 'written as one',
      synonym: 'a synonym',
      split: 'written apart',
      compound: 'end of a compound',
      beginning: 'a beginning',
      typos: 'with typos',
    } as Named,
    places: { name: 'name', attribute: 'attribute', text: 'text' } as Named,
    open: '…',
  },
  settings: {
    version: (version: string) => (version === '0' ? 'the defaults' : `version ${version}`),
    typeNames: { plain: 'in no language', localised: 'in the languages that they name' },
    words: 'Words',
    locale: 'Language',
  },
  ...eventTexts,
  offline: 'The service cannot be reached.',
  ...operationTexts,
} as const;
