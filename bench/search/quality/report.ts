import { markdownLine } from '../report.ts';
import type { Figures, Judged } from './judge.ts';

/** A search that was judged. */
export interface Searched {
  readonly name: string;
  readonly judged: Judged;
}

const share = (value: number) => value.toFixed(3);
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

function cells({ questions, recall, reciprocalRank, topHit, noHits }: Figures): readonly string[] {
  return [String(questions), share(recall), share(reciprocalRank), share(topHit), percent(noHits)];
}

/** The result of a vocabulary as a Markdown section: all questions, the guards, then recall@10 and top hits by kind and by locale. */
export function qualityReport(title: string, about: string, searches: readonly Searched[]): string {
  const head = ['search', 'questions', 'recall@10', 'MRR', 'top hit right', 'no hits'];
  const rule = (row: readonly string[]) => markdownLine(row.map(() => '---'));
  const rows = searches.flatMap(({ name, judged }) => [
    markdownLine([name, ...cells(judged.all)]),
    markdownLine([`${name}, guards`, ...cells(judged.guards)]),
  ]);
  const parts = (of: (judged: Judged) => ReadonlyMap<string, Figures>) => {
    const partHead = ['recall@10 / top hit / no hits', ...searches.map(({ name }) => name)];
    const partRows = [...of(searches[0]!.judged).keys()].map((part) => {
      const own = searches.map(({ judged }) => of(judged).get(part)!);
      return markdownLine([
        `${part} (${own[0]!.questions})`,
        ...own.map((one) => `${share(one.recall)} / ${share(one.topHit)} / ${percent(one.noHits)}`),
      ]);
    });
    return [markdownLine(partHead), rule(partHead), ...partRows];
  };
  const all = [markdownLine(head), rule(head), ...rows];
  const byKind = parts(({ byKind }) => byKind);
  const byLocale = parts(({ byLocale }) => byLocale);
  return `## ${title}\n\n${about}\n\n${[...all, '', ...byKind, '', ...byLocale].join('\n')}\n`;
}
