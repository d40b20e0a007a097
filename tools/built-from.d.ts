export function sourcesOf(root: string): string;
export function recordBuild(root: string, sources: string): void;
export function isBuilt(root: string): boolean;
