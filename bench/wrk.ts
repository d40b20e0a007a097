import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './service.ts';

/** Load by wrk, an independent client that takes less of the machine than our own. */
export interface WrkLoad {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** Whole requests, sent one after the other; from the first one again when all have been sent. */
  readonly requests: readonly string[];
}

export interface WrkResult {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Responses with a status of 400 or above, and errors of sockets. */
  readonly refused: number;
}

/** Reads the requests, each behind its length in bytes, and prints what came of them as JSON. */
const script = `
local file = io.open(os.getenv('WRK_REQUESTS'), 'rb')
local all = file:read('*a')
file:close()
local requests, at = {}, 1
while at <= #all do
  local line = string.find(all, '\\n', at, true)
  local length = tonumber(string.sub(all, at, line - 1))
  requests[#requests + 1] = string.sub(all, line + 1, line + length)
  at = line + length + 1
end
local next = 0
request = function()
  next = next % #requests + 1
  return requests[next]
end
done = function(summary, latency)
  local errors = summary.errors
  local refused = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('RESULT {"perSecond":%f,"p99Ms":%f,"refused":%d}\\n',
    summary.requests * 1e6 / summary.duration, latency:percentile(99) / 1000, refused))
end
`;

/** Whether wrk is installed. */
export function hasWrk(): boolean {
  return spawnSync('wrk', ['-v']).error === undefined;
}

/** Sends requests with one thread of wrk, in the order of the list. */
export async function runWrk({ port, connections, ms, requests }: WrkLoad): Promise<WrkResult> {
  const folder = temporaryFolder();
  try {
    const file = join(folder.path, 'requests');
    const program = join(folder.path, 'script.lua');
    writeFileSync(file, requests.map((request) => `${Buffer.byteLength(request)}\n${request}`).join(''));
    writeFileSync(program, script);
    const seconds = Math.max(1, Math.round(ms / 1000));
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', program, `http://127.0.0.1:${port}`];
    const { stdout } = await promisify(execFile)('wrk', args, { env: { ...process.env, WRK_REQUESTS: file } });
    const [, json] = /^RESULT (.*)$/m.exec(stdout) ?? [];
    if (json === undefined) throw new Error(`wrk printed no result: ${stdout}`);
    return JSON.parse(json) as WrkResult;
  } finally {
    folder.remove();
  }
}
