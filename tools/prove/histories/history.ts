/**
 * What clients wrote to a project and what they were told, and what a query may show of it. Moments are numbers that rise with whatever
 * happens in the one process of all clients, so what has a smaller one was over before.
 */

/** A state of a resource: by a write, of which at most the last one has no known outcome. Without a kind there is none. */
export interface Step {
  readonly sent: number;
  readonly version: number;
  /** No other write has this number. */
  readonly n: number;
  readonly kind: string | undefined;
}

/** From `at` on every query must show this step or a later one: it was acknowledged, or shown. */
interface Floor {
  readonly at: number;
  readonly index: number;
}

/** A resource with its states; the first one is that there is none. Its writes are sent one after another. */
export interface Story {
  readonly id: string;
  readonly steps: Step[];
  readonly floors: Floor[];
  /** The outcome of its last write is not known: no other one follows. */
  isLost: boolean;
}

export interface Shown {
  readonly id: string;
  readonly version: number;
  readonly n: number;
  readonly kind: string;
}

/** How many resources may, and must, be counted. */
type Range = readonly [least: number, most: number];

const floorAt = ({ floors }: Story, at: number) => floors.findLast((floor) => floor.at < at)?.index ?? 0;
const shownStep = ({ version, kind, n }: Pick<Step, 'version' | 'kind' | 'n'>) =>
  kind === undefined ? 'nothing' : `version ${version} (${kind}, ${n})`;

export class History {
  readonly project: string;
  /** Resources of the kind `ballast`, which are never written again. */
  ballast = 0;
  /** When its log was last pruned; infinite while it is. */
  prunedMs = Number.NEGATIVE_INFINITY;
  readonly stories = new Map<string, Story>();
  #moment = 0;

  constructor(project: string) {
    this.project = project;
  }

  now(): number {
    this.#moment += 1;
    return this.#moment;
  }

  story(id: string): Story {
    return this.stories.getOrInsertComputed(id, () => ({
      ...{ id, floors: [], isLost: false },
      steps: [{ sent: 0, version: 0, n: 0, kind: undefined }],
    }));
  }

  /** From now on a step is known to be committed. */
  raise(story: Story, index: number): void {
    if (index > floorAt(story, Number.POSITIVE_INFINITY)) story.floors.push({ at: this.now(), index });
  }

  /** The last step of a story, which was refused, must never have been shown. */
  withdraw(story: Story): readonly string[] {
    if (floorAt(story, Number.POSITIVE_INFINITY) === story.steps.length - 1) {
      return [`refused: ${this.project}/${story.id}: ${shownStep(story.steps.at(-1)!)} was shown, and then refused`];
    }
    story.steps.pop();
    return [];
  }

  /** The states that a query may meet that was sent at a moment. */
  mayBe(story: Story, asked: number): readonly Step[] {
    return story.steps.slice(floorAt(story, asked));
  }

  /** What contradicts a count of the resources that answer to a condition, by a query that was sent at a moment. */
  judgeCount(title: string, asked: number, total: number, matches: (step: Step) => boolean, others = 0) {
    const [least, most] = this.#range(asked, matches);
    const isPossible = total >= least + others && total <= most + others;
    return isPossible ? [] : [`count: ${this.project}: ${title}: ${total}, not ${least + others} to ${most + others}`];
  }

  #range(asked: number, matches: (step: Step) => boolean): Range {
    let [least, most] = [0, 0];
    for (const story of this.stories.values()) {
      const states = this.mayBe(story, asked);
      least += Number(states.every(matches));
      most += Number(states.some(matches));
    }
    return [least, most];
  }

  /** What contradicts the resources of an answer: all that answer to the condition, by a query that was sent at a moment. */
  judgeAll(title: string, asked: number, results: readonly Shown[], matches: (step: Step) => boolean) {
    const violations: string[] = [];
    const seen = new Map<Story, number>();
    // The answer is one state, so it has all that was acknowledged before its newest part was sent.
    let newest = asked;
    for (const shown of results) {
      const story = this.stories.get(shown.id);
      const index = story?.steps.findIndex((step) => step.n === shown.n && step.version === shown.version) ?? -1;
      const step = story?.steps[index];
      if (!story || step?.kind !== shown.kind || !matches(step)) {
        violations.push(`unknown: ${this.project}/${shown.id}: ${title} shows ${shownStep(shown)}`);
        continue;
      }
      if (seen.has(story)) violations.push(`twice: ${this.project}/${shown.id}: ${title}`);
      seen.set(story, index);
      newest = Math.max(newest, step.sent);
    }
    for (const story of this.stories.values()) {
      const index = seen.get(story);
      const fits = (at: number) =>
        index === undefined ? !this.mayBe(story, at).every(matches) : index >= floorAt(story, at);
      if (fits(newest)) continue;
      const kind = fits(asked) ? 'mixed' : index === undefined ? 'missing' : 'stale';
      const told = shownStep(this.mayBe(story, newest)[0]!);
      const shown = index === undefined ? 'nothing' : shownStep(story.steps[index]!);
      violations.push(`${kind}: ${this.project}/${story.id}: ${title} shows ${shown} after ${told}`);
    }
    for (const [story, index] of seen) this.raise(story, index);
    return violations;
  }
}
