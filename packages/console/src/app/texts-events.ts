type Named = Readonly<Record<string, string>>;

/** Texts of the rooms of events and images. */
export const eventTexts = {
  events: { allTypes: 'All types', at: 'At', type: 'Type', resource: 'Resource', actor: 'By' },
  subscriptions: {
    heading: 'Subscriptions',
    create: 'New subscription',
    secret: 'The signing secret',
    delivered: (status: number) => `Delivered: status ${status}`,
    notDelivered: (failure: string) => `Not delivered: ${failure}`,
    rotation: {
      rotate: 'Change the secret',
      rotateHint:
        'Creates a new secret. Until the overlap ends, deliveries are signed with both, so that you can update the receiver.',
      overlap: 'Keep signing with the old secret for',
      // In the order of their seconds.
      overlaps: { '0': 'not at all', '3600': 'an hour', '86400': 'a day', '604800': 'a week' },
    },
    delete: 'Delete',
    states: {
      upToDate: 'up to date',
      delivering: 'delivering',
      retrying: 'trying again',
      down: 'receiver down',
      disabled: 'paused',
    } as Named,
    stateHints: {
      upToDate: 'Everything has been delivered.',
      delivering: 'Changes are being delivered.',
      retrying: 'Some resources wait for another attempt. Others are delivered meanwhile.',
      down: 'Several deliveries in a row have failed. Only these are retried, one at a time; the first success resumes the others.',
      disabled: 'Deliveries are paused. They resume where they stopped.',
    } as Named,
    disabledGone: 'The receiver answered 410 (gone), so deliveries have stopped. They resume where they stopped.',
    held: (count: number) => (count === 1 ? '1 resource waits' : `${count} resources wait`),
    deliveries: 'Deliveries',
    letters: 'Dead letters',
    letterHeading: 'The undelivered event',
    replayed: 'Delivered',
    drop: 'Delete',
  },
  images: {
    variant: (number: string) => `Variant ${number}`,
    count: (count: number) => (count === 1 ? '1 image' : `${count} images`),
    views: { '': 'What is staged', current: 'What readers see' },
    move: { earlier: (name: string) => `Move ${name} earlier`, later: (name: string) => `Move ${name} later` },
    remove: 'Remove',
    revert: 'Discard staged changes',
    bytes: (bytes: number) => `${Math.max(1, Math.round(bytes / 1024)).toLocaleString('en')} KiB`,
    cancelled: 'cancelled',
    notImage: 'is not a JPEG, PNG or GIF',
    send: (count: number) => (count === 1 ? 'Send 1 image' : `Send ${count} images`),
  },
} as const;
