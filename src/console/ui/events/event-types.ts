/** Types of events, in the order in which they are offered. */
export const eventTypes = [
  'created',
  'updated',
  'published',
  'reverted',
  'deleted',
  'restored',
  'imageUploaded',
  'forgotten',
] as const;
