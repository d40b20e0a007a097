import { defineAction } from './define.ts';
import { namesOfPath } from './edit-fields.ts';

export default defineAction({
  name: 'renameField',
  summary:
    "Moves the value of one of the client's own fields to another path, at any depth. Refused where there is no value to move, or one in its way.",
  changes: 'fields',
  fields: {
    from: {
      type: 'string',
      description: 'Path of the value, as for setField. In an array, the items after it close the gap.',
      example: 'name.en',
    },
    to: {
      type: 'string',
      description: 'Path that has no value yet, as it is before the action; objects on the way are made.',
      example: 'title.en',
    },
  },
  apply: (own, { from, to }, tools) => {
    const [source, target] = [namesOfPath(from, own, tools), namesOfPath(to, own, tools)];
    const value = tools.get(own, source);
    if (source.every((name, i) => name === target[i])) {
      return tools.refuse(`to: '${to}': expected a path outside of '${from}'`);
    }
    if (tools.get(own, target) !== undefined) {
      return tools.refuse(
        `to: '${to}': expected a path without a value; setField without a value removes the one there`,
      );
    }
    if (value === undefined) {
      return tools.refuse(
        `from: '${from}': expected a path with a value, also in the staged projection where changes are staged`,
      );
    }
    // Set first, so that both paths are those before the action.
    return tools.remove(tools.set(own, target, value), source);
  },
});
