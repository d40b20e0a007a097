/** Projects that are tracked; beyond, all are dropped but those with writes under way. */
const maxProjects = 10_000;

interface Project {
  /** Writes under way. */
  writing: number;
  /** Greater than any before, of whichever project: one that was dropped gets a new one. */
  generation: number;
}

/** The generations of projects: see `ResourceStore.generation`. */
export class Generations {
  readonly #projects = new Map<string, Project>();
  #last = 0;

  of(projectKey: string): number | undefined {
    const { writing, generation } = this.#tracked(projectKey);
    return writing === 0 ? generation : undefined;
  }

  writeBegins(projectKey: string): void {
    this.#tracked(projectKey).writing += 1;
  }

  /** Whatever the outcome of the write. */
  writeEnded(projectKey: string): void {
    const project = this.#tracked(projectKey);
    project.writing -= 1;
    this.#last += 1;
    project.generation = this.#last;
  }

  #tracked(projectKey: string): Project {
    const known = this.#projects.get(projectKey);
    if (known) return known;
    if (this.#projects.size >= maxProjects) {
      for (const [key, { writing }] of this.#projects) if (writing === 0) this.#projects.delete(key);
    }
    this.#last += 1;
    const project = { writing: 0, generation: this.#last };
    this.#projects.set(projectKey, project);
    return project;
  }
}
