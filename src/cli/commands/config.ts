import { processEnvironment } from '../../config/environment.ts';
import { fileVariable, parseConfig } from '../../config/parse.ts';
import { type Setting, settingTable } from '../../config/settings.ts';
import { UsageError } from '../command.ts';

const settings = Object.entries(settingTable) as [keyof typeof settingTable, Setting][];

function wrap(text: string, indent: string, width = 100): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => indent + line).join('\n');
}

function explainSetting({ variable, type, default: fallback, min, max, unit, meaning }: Setting): string {
  const bounds = min === undefined ? '' : max === undefined ? `, at least ${min}` : `, ${min}–${max}`;
  const head = `  ${variable}  (${type}${unit ? ` in ${unit}` : ''}${bounds}; ${fallback === undefined ? 'unset' : `default ${fallback}`})`;
  return `${head}\n${wrap(meaning, '      ')}`;
}

function explainSettings(): string {
  const groups = Map.groupBy(settings, ([, setting]) => setting.group);
  const parts = [...groups].map(([group, members]) => {
    return `${group}\n${members.map(([, setting]) => explainSetting(setting)).join('\n')}`;
  });
  return parts.join('\n\n');
}

export const help = `Show the settings of the service, as a start would use them now.

Usage:
  npx grs config            each setting with its value; secrets are not shown
  npx grs config --help     each setting with its meaning, default and bounds

Example: what a start on port 9000 would use
  PORT=9000 npx grs config

Settings are environment variables. A secret can be in a file that the variable with _FILE names. If any is invalid, the service does not start and lists all that are.

${explainSettings()}`;

/** Runs `grs config`. Throws `ConfigError` if the configuration is invalid. */
export function run(args: readonly string[]): number {
  if (args.length > 0) throw new UsageError();
  const environment = processEnvironment();
  const config = parseConfig(environment);
  const width = Math.max(...settings.map(([, { variable }]) => variable.length));
  for (const [name, { variable, type }] of settings) {
    const value = config[name];
    const shown = value === undefined ? '(unset)' : type === 'secret' ? '(set, not shown)' : String(value) || '(none)';
    const file = type === 'secret' ? environment[fileVariable({ variable })] : undefined;
    const origin = environment[variable] ? 'from the environment' : file ? `from ${file}` : 'default';
    console.log(`${variable.padEnd(width)}  ${shown.padEnd(24)}  ${origin}`);
  }
  return 0;
}
