/**
 * An update action that an operator adds. Start the service with the folder of such files:
 * `ACTIONS_DIR=examples/actions npm start`. It then appears at /docs beside the built-in ones.
 */
import { defineAction } from 'generic-resource-service';

export default defineAction({
  name: 'applyDiscount',
  summary: 'Takes a percentage off price.centAmount, rounded to whole cents.',
  changes: 'fields',
  fields: {
    percent: { type: 'number', description: 'From 0 to 100.', example: 20 },
  },
  apply(own, { percent }, tools) {
    const share = Number(percent);
    const price = own.price as { readonly centAmount?: unknown } | undefined;
    if (share < 0 || share > 100) tools.refuse('percent: expected a number from 0 to 100');
    if (typeof price?.centAmount !== 'number') tools.refuse('there is no price.centAmount to take a discount off');
    const centAmount = Math.round((Number(price?.centAmount) * (100 - share)) / 100);
    return tools.set(own, ['price', 'centAmount'], centAmount);
  },
});
