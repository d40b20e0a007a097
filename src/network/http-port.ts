/** Ports from 1024 on of services that do not speak HTTP: they might read a request as commands. */
const forbiddenPorts: ReadonlySet<number> = new Set([3306, 5432, 6379, 9200, 11211, 27017]);

/** What is wrong with the port of a URL that requests are to be sent to; undefined if nothing is. */
export function portProblem({ port: text, protocol }: URL): string | undefined {
  const port = Number(text || (protocol === 'https:' ? 443 : 80));
  const isForbidden = (port < 1024 && port !== 80 && port !== 443) || forbiddenPorts.has(port);
  return isForbidden ? `port ${port} is not for HTTP` : undefined;
}
