/** Words of shops in their forms, and words that look alike. */
export interface FormsOfLanguage {
  /** The forms of a word with spaces between them, words between bars: the first one finds each other, and each other the first. */
  readonly same: string;
  /** Two words that do not find each other. */
  readonly apart: string;
}
