import { defineAction } from './define.ts';

export default defineAction({
  name: 'doSomeThing',
  summary: 'Touches the resource: a new version and a new lastModifiedAt, and no other change.',
  changes: 'resource',
  fields: {},
  apply: (working) => working,
});
