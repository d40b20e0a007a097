import { defineAction } from './define.ts';

export default defineAction({
  name: 'publish',
  summary: 'Makes the staged projection the current one. Where nothing is staged, nothing changes.',
  changes: 'resource',
  fields: {},
  apply: ({ key, current, staged }) => ({ key, current: staged ?? current, staged: undefined }),
});
