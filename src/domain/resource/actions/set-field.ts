import { defineAction } from './define.ts';
import { namesOfPath } from './edit-fields.ts';

export default defineAction({
  name: 'setField',
  summary: "Sets or removes one of the client's own fields, at any depth.",
  changes: 'fields',
  fields: {
    path: {
      type: 'string',
      description:
        'Names separated by dots; those with dots or backticks in backticks. In an array a name is the index of an item, also written as `[0]`; the index after the last one appends.',
      example: 'name.en',
    },
    value: {
      type: 'any',
      optional: true,
      description: 'The new value; without it the field is removed.',
      example: 'Sale',
    },
  },
  apply: (own, { path, value }, tools) => {
    const names = namesOfPath(path, own, tools);
    return value === undefined ? tools.remove(own, names) : tools.set(own, names, value);
  },
});
