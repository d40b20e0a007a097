import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServer } from '../../optional-tools.ts';

/** A proxy in front of a service. */
export interface Proxy {
  readonly port: number;
  stop(): Promise<void>;
}

export interface Program {
  /** Undefined where it is not installed. */
  readonly file: string | undefined;
  readonly configuration: (port: number, upstream: number, folder: string) => string;
  readonly args: (configuration: string, folder: string) => readonly string[];
}

function nginx(ofServer: string, ofLocation: string): Program {
  return {
    file: findServer('nginx'),
    configuration: (port, upstream, folder) =>
      wrapNginx(
        folder,
        `server { listen 127.0.0.1:${port}; ${ofServer}
          location / { proxy_pass http://127.0.0.1:${upstream}; ${ofLocation} } }`,
      ),
    args: (configuration, folder) => ['-p', folder, '-c', configuration, '-e', `${folder}/error.log`],
  };
}

/** A configuration of nginx with servers, which keeps its files in a folder. */
export const wrapNginx = (folder: string, servers: string) => `
      ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/nginx.pid; error_log ${folder}/error.log; daemon off; worker_processes 1;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
        ${servers}
      }`;

/** The proxies by name, as Debian installs them. */
export const proxies: Readonly<Record<string, Program>> = {
  'nginx with its defaults': nginx('', ''),
  'nginx without buffers': nginx(
    'client_max_body_size 0;',
    'proxy_http_version 1.1; proxy_request_buffering off; proxy_buffering off;',
  ),
  Caddy: {
    file: findServer('caddy'),
    configuration: (port, upstream, folder) =>
      `{\n admin off\n auto_https off\n storage file_system ${folder}\n}\nhttp://127.0.0.1:${port} {\n reverse_proxy 127.0.0.1:${upstream}\n}\n`,
    args: (configuration) => ['run', '--adapter', 'caddyfile', '--config', configuration],
  },
  HAProxy: {
    file: findServer('haproxy'),
    configuration: (port, upstream) => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen all
  bind 127.0.0.1:${port}
  server service 127.0.0.1:${upstream}
`,
    args: (configuration) => ['-db', '-f', configuration],
  },
};

/** Starts a proxy, on a free port unless one is given, and resolves when it accepts connections. */
export async function startProxy(
  { file, configuration, args }: Program,
  upstream: number,
  wanted?: number,
): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'grs-proxy-'));
  const port = wanted ?? (await freePort());
  const path = join(folder, 'configuration');
  writeFileSync(path, configuration(port, upstream, folder));
  const child = spawn(file!, args(path, folder), { stdio: 'ignore', env: { ...process.env, HOME: folder } });
  const ended = once(child, 'exit');
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { port, stop: () => stop(child, ended, folder) };
}

async function stop(child: ChildProcess, ended: Promise<unknown>, folder: string): Promise<void> {
  child.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
