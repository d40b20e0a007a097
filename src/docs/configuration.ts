import type { Setting } from '../config/settings.ts';
import { markdownPage, markdownTable } from './markdown.ts';

/** What kind of text a variable takes, with bounds and unit. */
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
export function configurationMarkdown(settings: Readonly<Record<string, Setting>>): string {
  const groups = Map.groupBy(Object.values(settings), ({ group }) => group);
  const parts = [...groups].flatMap(([group, members]) => [`## ${group}`, groupTable(members)]);
  const introduction = [
    'Settings are environment variables, read once at the start. An empty variable counts as unset.',
    'Where any of them is invalid, the service names all problems at once and exits with code 78.',
    'Values of the form *secret* never appear in messages or logs.',
  ].join('\n');
  return markdownPage('Configuration', [introduction, ...parts]);
}
