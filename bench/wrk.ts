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
  /** Whole requests, sent one after the other. */
  readonly requests: readonly string[];
  /** From the first one again when all have been sent; otherwise wrk stops there. */
  readonly repeats?: boolean;
}

export interface WrkResult {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Responses with a status of 400 or above, and errors of sockets. */
  readonly refused: number;
  /** All requests had been sent before the time was over: the other figures mean nothing. */
  readonly ranOut: boolean;
}

/**
 * Reads what begins and what ends all requests, and what is between them in each of them, each text behind its length in
 * bytes. wrk asks for one request that it does not send, to see whether it is one. Prints what came of them as JSON.
 */
const script = `
local texts, count, next = {}, 0, -1
local repeats = os.getenv('WRK_REPEATS') == 'yes'
ranOut = false
init = function()
  local file = io.open(os.getenv('WRK_REQUESTS'), 'rb')
  local all = file:read('*a')
  file:close()
  local at = 1
  while at <= #all do
    local line = string.find(all, '\\n', at, true)
    local length = tonumber(string.sub(all, at, line - 1))
    texts[#texts + 1] = string.sub(all, line + 1, line + length)
    at = line + length + 1
  end
  count = #texts - 2
end
request = function()
  next = next + 1
  if next > count and repeats then
    next = 1
  elseif next > count then
    next = count
    ranOut = true
    wrk.thread:stop()
  end
  return texts[1] .. texts[math.max(next, 1) + 2] .. texts[2]
end
local thread
setup = function(each) thread = each end
done = function(summary, latency)
  local errors = summary.errors
  local refused = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('RESULT {"perSecond":%f,"p99Ms":%f,"refused":%d,"ranOut":%s}\\n',
    summary.requests * 1e6 / summary.duration, latency:percentile(99) / 1000, refused, tostring(thread:get('ranOut'))))
end
`;

/** What all of some texts begin with and what they end with, and what each has between: they may be large, and are many. */
export function sharedEnds(texts: readonly string[]): {
  readonly begin: string;
  readonly end: string;
  readonly between: readonly string[];
} {
  const [first = ''] = texts;
  let before = first.length;
  for (const text of texts) while (!text.startsWith(first.slice(0, before))) before -= 1;
  let behind = first.length - before;
  for (const text of texts) {
    behind = Math.min(behind, text.length - before);
    while (!text.endsWith(first.slice(first.length - behind))) behind -= 1;
  }
  const between = texts.map((text) => text.slice(before, text.length - behind));
  return { begin: first.slice(0, before), end: first.slice(first.length - behind), between };
}

/** True if wrk is installed. */
export function hasWrk(): boolean {
  return spawnSync('wrk', ['-v']).error === undefined;
}

/** Sends requests with one thread of wrk, in the order of the list. */
export async function runWrk({ port, connections, ms, requests, repeats = false }: WrkLoad): Promise<WrkResult> {
  const folder = temporaryFolder();
  try {
    const file = join(folder.path, 'requests');
    const program = join(folder.path, 'script.lua');
    const { begin, end, between } = sharedEnds(requests);
    writeFileSync(file, [begin, end, ...between].map((text) => `${Buffer.byteLength(text)}\n${text}`).join(''));
    writeFileSync(program, script);
    const seconds = Math.max(1, Math.round(ms / 1000));
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', program, `http://127.0.0.1:${port}`];
    const env = { ...process.env, WRK_REQUESTS: file, WRK_REPEATS: repeats ? 'yes' : 'no' };
    const { stdout } = await promisify(execFile)('wrk', args, { env });
    const [, json] = /^RESULT (.*)$/m.exec(stdout) ?? [];
    if (json === undefined) throw new Error(`wrk printed no result: ${stdout}`);
    return JSON.parse(json) as WrkResult;
  } finally {
    folder.remove();
  }
}
