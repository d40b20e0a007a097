export function nodeProblem(): string | undefined;
