const fields = (count: number) => (count === 1 ? '1 field has a draft' : `${count} fields have drafts`);

/** Texts about staged values that readers do not see yet. */
export const draftTexts = {
  drafts: {
    draft: 'Draft',
    yours: 'Yours',
    readersSee: 'Readers see',
    exist: (count: number) => `${fields(count)}. The form shows what readers see.`,
    shown: (count: number) => `${fields(count)}. The form shows the draft; readers see it after publishing.`,
    showDraft: 'Edit the draft',
    showCurrent: 'Show what readers see',
    readersSeeText: (text: string) => `Readers see: ${text}`,
    by: ({ by = '?', at = '' }: { readonly by?: string; readonly at?: string }) =>
      `staged by ${by}, ${new Date(at).toLocaleString()}`,
    question: (count: number) => (count === 1 ? 'This save replaces a draft' : `This save replaces ${count} drafts`),
    hint: 'A plain save changes what readers see, and the draft with it. You can keep the draft: it then still waits to be published.',
    wholeHint: 'This save changes what readers see, and replaces everything that is staged.',
    stagedHint: 'Somebody has staged another text. Yours takes its place; readers see neither until it is published.',
    replaceStaged: (count: number) => (count === 1 ? 'Stage and replace the draft' : 'Stage and replace the drafts'),
    replace: (count: number) => (count === 1 ? 'Save and replace the draft' : 'Save and replace the drafts'),
    keep: (count: number) => (count === 1 ? 'Save and keep the draft' : 'Save and keep the drafts'),
    restoreQuestion: (version: string) => `Restore version ${version}?`,
    restoreHint:
      'What is staged is replaced as well, by what was staged in that version, if anything was. Undo brings it back.',
    actionHint: (names: string) =>
      `Drafts: ${names}. An action that is not staged changes a draft of its field as well; Undo brings it back.`,
    bulkHint: 'Unless it is staged, the change replaces drafts of this field as well; Undo brings them back.',
    importHint: 'An import changes what readers see, and drafts of the same fields with it.',
    types: {
      draft: 'draft',
      published: 'published',
      reverted: 'draft discarded',
    },
  },
} as const;
