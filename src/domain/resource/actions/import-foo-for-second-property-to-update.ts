import { defineAction } from './define.ts';

export default defineAction({
  name: 'importFooForSecondPropertyToUpdate',
  summary: 'Sets the field secondPropertyToUpdate.',
  changes: 'fields',
  fields: {
    secondPropertyToUpdate: { type: 'any', description: 'The new value, any JSON but null.', example: { foo: 'bar' } },
  },
  apply: (own, { secondPropertyToUpdate }, tools) => tools.set(own, ['secondPropertyToUpdate'], secondPropertyToUpdate),
});
