import { processEnvironment } from '../../config/environment.ts';
import { parseConfig } from '../../config/parse.ts';
import { type Setting, settingTable } from '../../config/settings.ts';

const configHelp = `Show the settings of the service, as they would be used if it started now.

Usage:
  grs config            each setting with its value; secrets are not shown
  grs config --help     each setting with its meaning, default and bounds

Example: what a start on port 9000 would use
  PORT=9000 grs config

Settings are environment variables. A start with a wrong one ends with a list of all that are wrong.
`;

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
  const bounds = min === undefined ? '' : `, ${min}–${max}`;
  const head = `  ${variable}  (${type}${unit ? ` in ${unit}` : ''}${bounds}; ${fallback === undefined ? 'unset' : `default ${fallback}`})`;
  return `${head}\n${wrap(meaning, '      ')}`;
}

function help(): string {
  const groups = Map.groupBy(settings, ([, setting]) => setting.group);
  const parts = [...groups].map(([group, members]) => {
    return `${group}\n${members.map(([, setting]) => explainSetting(setting)).join('\n')}`;
  });
  return `${configHelp}\n${parts.join('\n\n')}`;
}

/** Runs `grs config`. Throws `ConfigError` where a setting is not usable. */
export function showConfig(args: readonly string[]): number {
  if (args.length > 0) {
    console.log(help());
    return args[0] === '--help' || args[0] === '-h' ? 0 : 2;
  }
  const environment = processEnvironment();
  const config = parseConfig(environment);
  const width = Math.max(...settings.map(([, { variable }]) => variable.length));
  for (const [name, { variable, type }] of settings) {
    const value = config[name];
    const shown = value === undefined ? '(unset)' : type === 'secret' ? '(set, not shown)' : String(value) || '(none)';
    const origin = environment[variable] ? 'from the environment' : 'default';
    console.log(`${variable.padEnd(width)}  ${shown.padEnd(24)}  ${origin}`);
  }
  return 0;
}
