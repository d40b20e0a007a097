import { defineAction } from './define.ts';

export default defineAction({
  name: 'setField',
  summary: "Sets or removes one of the client's own fields, at any depth.",
  changes: 'fields',
  fields: {
    path: {
      type: 'string',
      description:
        'Names separated by dots. In an array a name is the index of an item; the index after the last one appends.',
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
    const names = path.split('.');
    return value === undefined ? tools.remove(own, names) : tools.set(own, names, value);
  },
});
