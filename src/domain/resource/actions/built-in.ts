import { integerOf } from '../../../contract/check.ts';
import { imageActions } from '../../image/actions.ts';
import { type ActionDefinition, defineAction, type VersionTools } from './define.ts';
import { namesOfPath } from './edit-fields.ts';
import { actionsOnCurrent } from './on-current.ts';

export const publish = defineAction({
  name: 'publish',
  summary: 'Makes the staged projection the current one. Where nothing is staged, nothing changes.',
  changes: 'resource',
  fields: {},
  apply: ({ key, current, staged }) => ({ key, current: staged ?? current, staged: undefined }),
});

export const revertStagedChanges = defineAction({
  name: 'revertStagedChanges',
  summary: 'Drops the staged projection. Where nothing is staged, nothing changes.',
  changes: 'resource',
  fields: {},
  apply: ({ key, current }) => ({ key, current, staged: undefined }),
});

export const restore = defineAction({
  name: 'restore',
  summary:
    "Makes the content of an earlier version that of the next one: the client's own fields of both projections, and the key.",
  changes: 'resource',
  fields: {
    version: { type: 'integer', description: 'A stored version, or the current one.', example: 3 },
  },
  apply: (_working, { version }, tools) => (tools as VersionTools).earlier(integerOf(version)),
});

/** The actions that every installation has, in the order of the documentation. */
export const builtInActions: readonly ActionDefinition[] = [
  defineAction({
    name: 'doSomeThing',
    summary: 'Touches the resource: a new version and a new lastModifiedAt, and no other change.',
    changes: 'resource',
    fields: {},
    apply: (working) => working,
  }),
  defineAction({
    name: 'changeSomeProperty',
    summary: 'Sets the field someProperty.',
    changes: 'fields',
    fields: { someProperty: { type: 'string', description: 'The new value.', example: 'new value' } },
    apply: (own, { someProperty }, tools) => tools.set(own, ['someProperty'], someProperty),
  }),
  defineAction({
    name: 'importFooForSecondPropertyToUpdate',
    summary: 'Sets the field secondPropertyToUpdate.',
    changes: 'fields',
    fields: {
      secondPropertyToUpdate: {
        type: 'any',
        description: 'The new value, any JSON but null.',
        example: { foo: 'bar' },
      },
    },
    apply: (own, { secondPropertyToUpdate }, tools) =>
      tools.set(own, ['secondPropertyToUpdate'], secondPropertyToUpdate),
  }),
  defineAction({
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
  }),
  defineAction({
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
  }),
  defineAction({
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
  }),
  ...actionsOnCurrent,
  publish,
  revertStagedChanges,
  restore,
  ...imageActions,
];
