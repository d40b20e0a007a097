import { defineAction } from './define.ts';

export default defineAction({
  name: 'revertStagedChanges',
  summary: 'Drops the staged projection. Where nothing is staged, nothing changes.',
  changes: 'resource',
  fields: {},
  apply: ({ key, current }) => ({ key, current, staged: undefined }),
});
