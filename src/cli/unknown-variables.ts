import { distanceWithin } from '#words';
import { fileVariable } from '../config/parse.ts';
import { type Setting, settingTable } from '../config/settings.ts';

const variables = (Object.values(settingTable) as readonly Setting[]).flatMap((setting) =>
  setting.type === 'secret' ? [setting.variable, fileVariable(setting)] : [setting.variable],
);
const known: ReadonlySet<string> = new Set(variables);

/** Shorter names are near to variables of other programs. */
const minLength = 6;

/** Variables that look like misspelled settings, and what was probably meant: with a typo or two, or with a prefix such as `GRS_`. */
export function unknownVariables(environment: Readonly<Record<string, unknown>>) {
  return Object.keys(environment).flatMap((variable) => {
    if (known.has(variable)) return [];
    const plain = variable.toUpperCase().replace(/^GRS_/, '');
    const isPrefixed = plain.length < variable.length;
    const meant = variables.find((each) => each === plain) ?? (plain.length < minLength ? undefined : nearest(plain));
    return meant !== undefined && (isPrefixed || meant.length >= minLength) ? [{ variable, meant }] : [];
  });
}

function nearest(name: string): string | undefined {
  return variables.find((each) => each.length >= minLength && distanceWithin(name, each, 2) !== undefined);
}
