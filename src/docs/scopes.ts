import { markdownPage, markdownTable } from './markdown.ts';

const introduction = [
  'A token carries scopes of the form `name:projectKey`, for instance `view_test:my-shop` (decisions 28 and 29).',
  'A project exists as soon as a token has a scope for it (decision 6).',
].join('\n');

/** docs/scopes.md: every scope with what it grants and implies. */
export function scopesMarkdown(
  scopes: Readonly<Record<string, { readonly meaning: string; readonly implies: readonly string[] }>>,
): string {
  const rows = Object.entries(scopes).map(([name, { meaning, implies }]) => {
    return [`\`${name}\``, meaning, implies.map((implied) => `\`${implied}\``).join(', ')];
  });
  const admin =
    'The administrator client of the first start (decision 30) may ask for any scope of any project and names those it wants.';
  return markdownPage('Scopes', [introduction, markdownTable(['Scope', 'Grants', 'Implies'], rows), admin]);
}
