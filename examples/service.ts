/** What the examples in TypeScript need of the service. Each of them ends, and says what to do, where it is missing. */
import { existsSync, readFileSync } from 'node:fs';

const base = process.env.BASE ?? 'http://127.0.0.1:8080';

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** The address of the service (`BASE`), which is running. */
export async function ready(): Promise<string> {
  const response = await fetch(`${base}/health/live`).catch(() => undefined);
  if (response?.status === 200) return base;
  return fail(`There is no service at ${base}. Start it in another terminal (npm start), or set BASE to its address.`);
}

/** The administrator's client as "id:secret": `ADMIN`, or what the service has stored in its folder. */
export function administrator(): string {
  if (process.env.ADMIN) return process.env.ADMIN;
  const file = 'data/admin-client.json';
  if (!existsSync(file)) {
    fail(`There is no ${file} here. Change to the folder where the service was started, or set ADMIN=id:secret.`);
  }
  const { clientId, clientSecret } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return `${clientId}:${clientSecret}`;
}
