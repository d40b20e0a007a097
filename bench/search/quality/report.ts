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

/** The whole result as a Markdown page: all questions, the guards, then recall@10 and top hits by kind. */
export function qualityReport(title: string, about: string, searches: readonly Searched[]): string {
  const head = ['search', 'questions', 'recall@10', 'MRR', 'top hit right', 'no hits'];
  const rule = (row: readonly string[]) => markdownLine(row.map(() => '---'));
  const rows = searches.flatMap(({ name, judged }) => [
    markdownLine([name, ...cells(judged.all)]),
    markdownLine([`${name}, guards`, ...cells(judged.guards)]),
  ]);
  const kinds = [...searches[0]!.judged.byKind.keys()];
  const kindHead = ['recall@10 / top hit / no hits', ...searches.map(({ name }) => name)];
  const kindRows = kinds.map((kind) => {
    const own = searches.map(({ judged }) => judged.byKind.get(kind)!);
    return markdownLine([
      `${kind} (${own[0]!.questions})`,
      ...own.map((one) => `${share(one.recall)} / ${share(one.topHit)} / ${percent(one.noHits)}`),
    ]);
  });
  const tables = [markdownLine(head), rule(head), ...rows, '', markdownLine(kindHead), rule(kindHead), ...kindRows];
  return `# ${title}\n\n${about}\n\n${tables.join('\n')}\n`;
}
