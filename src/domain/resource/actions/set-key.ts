import { defineAction } from './define.ts';

export default defineAction({
  name: 'setKey',
  summary: 'Sets the key of the resource, in both projections; without a key, removes it.',
  changes: 'resource',
  fields: {
    key: {
      type: 'string',
      optional: true,
      description: 'Unique in the project, 1 to 256 characters.',
      example: 'summer-sale',
    },
  },
  apply: (working, { key }) => ({ ...working, key }),
});
