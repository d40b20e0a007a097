import { readFileSync } from 'node:fs';
import { type Config, fixedLimits, type Setting, type SettingTable, settingTable } from './settings.ts';

/** The configuration is invalid. Thrown with all problems at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const lines = problems.length === 1 ? ` ${problems[0]}` : problems.map((problem) => `\n  ${problem}`).join('');
    super(`Invalid configuration:${lines}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** A value, or what the text must be. */
type Parsed = { readonly value: unknown } | { readonly expected: string };

function parseInteger(text: string, { min = 0, max, unit }: Setting): Parsed {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)) return { value };
  const range = `${max === undefined ? `at least ${min}` : `${min}–${max}`}${unit ? ` ${unit}` : ''}`;
  return { expected: Number.isNaN(value) ? `a whole number, ${range}` : range };
}

function parseSetting(setting: Setting, text: string): Parsed {
  switch (setting.type) {
    case 'integer':
      return parseInteger(text, setting);
    case 'port':
      return parseInteger(text, { ...setting, min: 0, max: 65535 });
    case 'boolean':
      // `on` and `off` are what people type for a feature.
      if (/^(?:true|false|on|off)$/.test(text)) return { value: text === 'true' || text === 'on' };
      return { expected: 'true or false' };
    case 'list':
      return parseList(setting, text);
    case 'text':
    case 'secret': {
      const expected = setting.check?.(text);
      if (expected !== undefined) return { expected };
      return setting.pattern && !setting.pattern.test(text)
        ? { expected: `a text that matches ${setting.pattern.source}` }
        : { value: text };
    }
  }
}

function parseList({ check }: Setting, text: string): Parsed {
  const items = text.split(',').flatMap((item) => item.trim() || []);
  for (const item of items) {
    const expected = check?.(item);
    if (expected !== undefined) return { expected: `a list of which each item is ${expected}, not ${item}` };
  }
  return { value: Object.freeze(items) };
}

type Environment = Readonly<Record<string, string | undefined>>;

type Values = { -readonly [K in keyof SettingTable]?: unknown };

/** Rules that several settings must keep together. `given`: those that were set, valid or not. */
function contradictions(values: Values, given: ReadonlySet<keyof SettingTable>): string[] {
  const problems: string[] = [];
  const together = (...names: (keyof SettingTable)[]) => {
    const set = names.filter((name) => given.has(name));
    if (set.length > 0 && set.length < names.length) {
      problems.push(`${names.map((name) => settingTable[name].variable).join(', ')}: set all of them or none`);
    }
  };
  together('region', 'cloudProvider', 'domain');
  together('adminClientId', 'adminClientSecret');
  together('oidcIssuer', 'oidcAudience');
  together('imageStoreUrl', 's3AccessKeyId', 's3SecretAccessKey');
  const asked = ['consoleOidcClientId', 'consoleOidcClientSecret', 'consoleOidcScope'] as const;
  const first = asked.find((name) => given.has(name));
  if (first !== undefined && !(given.has('oidcIssuer') && given.has('consoleOidcClientId')))
    problems.push(`${settingTable[first].variable} may only be set with OIDC_ISSUER and CONSOLE_OIDC_CLIENT_ID`);
  const secret = values.adminClientSecret;
  if (typeof secret === 'string' && secret.length < 16)
    problems.push('ADMIN_CLIENT_SECRET must have at least 16 characters');
  return problems;
}

/** The variable that names a file with the value of a secret, as Docker and Kubernetes mount them. */
export const fileVariable = ({ variable }: Pick<Setting, 'variable'>): string => `${variable}_FILE`;

/** The text of a setting: that of its variable, or for a secret that of the file which the variable with `_FILE` names. */
function readText(setting: Setting, environment: Environment, problems: string[]): string | undefined {
  const text = environment[setting.variable];
  const variable = fileVariable(setting);
  const file = setting.type === 'secret' ? environment[variable] : undefined;
  if (file === undefined || file === '') return text;
  if (text !== undefined && text !== '') {
    problems.push(`${setting.variable} and ${variable} are both set: set one of them`);
    return undefined;
  }
  try {
    const read = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (read === '') problems.push(`${variable}: ${file} is empty; write the value of ${setting.variable} into it`);
    return read;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    problems.push(`${variable}: ${file} cannot be read: ${fileAdvice[code] ?? message}`);
    return undefined;
  }
}

const fileAdvice: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; mount it, or name another',
  EACCES: 'this user may not read it; give the file to the user (chown), or mount it readable',
  EISDIR: 'it is a folder; name the file in it',
};

/** Reads the settings from an environment. Throws `ConfigError` with all problems at once. */
export function parseConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values: Values = {};
  const given = new Set<keyof SettingTable>();
  for (const [name, setting] of Object.entries(settingTable) as [keyof SettingTable, Setting][]) {
    const text = readText(setting, environment, problems);
    if (text === undefined || text === '') {
      const value = setting.default ?? (setting.type === 'list' ? Object.freeze([]) : undefined);
      if (value !== undefined) values[name] = value;
      continue;
    }
    given.add(name);
    const parsed = parseSetting(setting, text);
    if ('value' in parsed) values[name] = parsed.value;
    else {
      const shown = setting.type === 'secret' ? 'a value that is not shown' : text;
      problems.push(`${setting.variable} must be ${parsed.expected} (got ${shown})`);
    }
  }
  problems.push(...contradictions(values, given));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({ ...fixedLimits, ...values }) as Config;
}
