import { ServiceError } from '../../../contract/errors.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { pathAtStart } from '../../json/path-syntax.ts';
import { isJsonArray } from '../../json/values.ts';
import type { ActionTools } from './define.ts';

/**
 * The names of a path of an update action, in which an index such as `[0]` is the name of an item, as `0` is. Throws 400
 * `InvalidInput` for what is no path, and 400 `InvalidOperation` for an index of what is no array.
 */
export function namesOfPath(text: string, own: JsonObject, tools: ActionTools): readonly string[] {
  const { steps, rest } = pathAtStart(text, { names: 'free', indexes: true }) ?? { steps: [], rest: text };
  if (steps.length === 0 || rest !== '') {
    const advice = text.includes('`') ? '; a backtick in a name is written as two, in backticks' : '';
    throw new ServiceError(
      'InvalidInput',
      `path '${text}': expected names separated by dots, such as name.en${advice}`,
    );
  }
  const names: string[] = [];
  for (const step of steps) {
    if (typeof step === 'string') names.push(step);
    else if (step.index === '*') {
      throw new ServiceError('InvalidInput', `path '${text}': expected one item, such as [0], not [*]`);
    } else if (isJsonArray(tools.get(own, names))) names.push(String(step.index));
    else return tools.refuse(`path '${text}': expected an array at ${names.join('.')}`);
  }
  return names;
}
