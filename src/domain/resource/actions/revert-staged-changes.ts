import { defineAction } from './define.ts';

export default defineAction({
  name: 'revertStagedChanges',
  summary: 'Drops the staged projection. Where nothing is staged, only the version changes.',
  changes: 'resource',
  fields: {},
  apply: ({ key, current }) => ({ key, current, staged: undefined }),
});
