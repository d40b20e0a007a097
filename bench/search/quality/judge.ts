import type { Question } from './questions.ts';

/** The answers of a search: the keys of the first ten products. */
export type Ask = (question: Question) => Promise<readonly string[]> | readonly string[];

/** Means over some questions. */
export interface Figures {
  readonly questions: number;
  /** The share of the right products among the first ten; of more than ten, ten are as good as all. */
  readonly recall: number;
  /** The mean of one over the place of the first right product. */
  readonly reciprocalRank: number;
  /** The share of questions whose first product is right. */
  readonly topHit: number;
  /** The share of questions without any product. */
  readonly noHits: number;
}

/** Figures of one search. */
export interface Judged {
  readonly all: Figures;
  readonly guards: Figures;
  readonly byKind: ReadonlyMap<string, Figures>;
  /** By locale, guards left out. */
  readonly byLocale: ReadonlyMap<string, Figures>;
}

interface Mark {
  readonly question: Question;
  readonly recall: number;
  readonly reciprocalRank: number;
  readonly hits: number;
}

const page = 10;

/** Asks all questions and judges the answers. Calls `missed` for each question without a full answer. */
export async function judge(
  questions: readonly Question[],
  ask: Ask,
  missed: (question: Question, answers: readonly string[], recall: number) => void = () => {},
): Promise<Judged> {
  const marks: Mark[] = [];
  for (const question of questions) {
    const answers = (await ask(question)).slice(0, page);
    const found = answers.filter((key) => question.right.has(key)).length;
    const first = answers.findIndex((key) => question.right.has(key));
    const recall = found / Math.min(page, question.right.size);
    marks.push({ question, recall, reciprocalRank: first < 0 ? 0 : 1 / (first + 1), hits: answers.length });
    if (recall < 1 || first !== 0) missed(question, answers, recall);
  }
  const locales = Map.groupBy(
    marks.filter(({ question }) => !question.guards),
    ({ question }) => question.locale,
  );
  const kinds = Map.groupBy(marks, ({ question }) => question.kind);
  return {
    all: figuresOf(marks.filter(({ question }) => !question.guards)),
    guards: figuresOf(marks.filter(({ question }) => question.guards)),
    byKind: new Map([...kinds].map(([kind, own]) => [kind, figuresOf(own)])),
    byLocale: new Map([...locales].map(([locale, own]) => [locale, figuresOf(own)])),
  };
}

function figuresOf(marks: readonly Mark[]): Figures {
  const mean = (of: (mark: Mark) => number) => marks.reduce((sum, mark) => sum + of(mark), 0) / marks.length;
  return {
    questions: marks.length,
    recall: mean(({ recall }) => recall),
    reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank),
    topHit: mean(({ reciprocalRank }) => (reciprocalRank === 1 ? 1 : 0)),
    noHits: mean(({ hits }) => (hits === 0 ? 1 : 0)),
  };
}
