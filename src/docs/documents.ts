import { settingTable } from '../config/settings.ts';
import { errorTable } from '../contract/errors.ts';
import { scopeTable } from '../contract/scopes.ts';
import { languages } from '../domain/search/words/languages.ts';
import { configurationMarkdown } from './configuration.ts';
import { errorsMarkdown } from './errors.ts';
import { languagesMarkdown } from './languages.ts';
import { scopesMarkdown } from './scopes.ts';

/** The files in docs/ that are made from code, by name. `openApiText` is the OpenAPI document as JSON text. */
export function generatedDocuments(openApiText: string): ReadonlyMap<string, string> {
  return new Map([
    ['configuration.md', configurationMarkdown(settingTable)],
    ['errors.md', errorsMarkdown(errorTable)],
    ['scopes.md', scopesMarkdown(scopeTable)],
    ['languages.md', languagesMarkdown(languages)],
    ['openapi.json', openApiText.endsWith('\n') ? openApiText : `${openApiText}\n`],
  ]);
}
