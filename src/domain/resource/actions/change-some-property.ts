import { defineAction } from './define.ts';

export default defineAction({
  name: 'changeSomeProperty',
  summary: 'Sets the field someProperty.',
  changes: 'fields',
  fields: { someProperty: { type: 'string', description: 'The new value.', example: 'new value' } },
  apply: (own, { someProperty }, tools) => tools.set(own, ['someProperty'], someProperty),
});
