/** Starts Caddy or nginx from Debian in front of a gallery, with a temporary configuration. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { GalleryUrl } from './people.ts';
import { findFreePort } from './postgres.ts';
import { createRequestHead, exchangeRaw } from './raw.ts';

export interface RunningProxy extends GalleryUrl {
  stop(): Promise<void>;
}

interface ProxyKind {
  program: string;
  /** Arguments that print the version, to find out whether the program is installed. */
  version: string[];
  config(port: number, upstream: string, folder: string): string;
  args(file: string, folder: string): string[];
}

/**
 * nginx with `proxy_pass` without a path, as most documentation shows it: the request target is passed on
 * unchanged.
 */
const nginxKind: ProxyKind = {
  program: 'nginx',
  version: ['-v'],
  config: (port, upstream, folder) => `
    daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://${upstream}; } }
    }`,
  args: (file, folder) => ['-p', folder, '-c', file, '-e', join(folder, 'error.log')],
};

const caddyKind: ProxyKind = {
  program: 'caddy',
  version: ['version'],
  config: (port, upstream) => `
{
  admin off
  auto_https off
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy ${upstream}
}
`,
  args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
};

/** Account of `guardedNginxKind` in front of the whole gallery. */
export const proxyAccount = { username: 'family', password: 'open the door' };

/** nginx that asks for a password itself (`auth_basic`), as YunoHost and Synology do. */
export const guardedNginxKind: ProxyKind = {
  ...nginxKind,
  config: (port, upstream, folder) => {
    const { username, password } = proxyAccount;
    const guard = `auth_basic "Family"; auth_basic_user_file ${folder}/users;`;
    const headers = 'proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;';
    writeFileSync(join(folder, 'users'), `${username}:{PLAIN}${password}\n`);
    return nginxKind
      .config(port, upstream, folder)
      .replace(
        'location / {',
        `client_max_body_size 60m; location /health/ { proxy_pass http://${upstream}; } location / { ${guard} ${headers}`,
      );
  },
};

export const proxyKinds = [nginxKind, caddyKind];

/** Returns the reason why tests with the proxy are skipped, or false if the proxy is installed. */
export function findMissingReason({ program, version }: ProxyKind): string | false {
  const { error } = spawnSync(program, version, { stdio: 'ignore' });
  return error ? `${program} is not installed (apt-get install ${program})` : false;
}

export async function startProxy(kind: ProxyKind, { url }: GalleryUrl): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-proxy-'));
  const port = await findFreePort();
  const file = join(folder, 'config');
  await writeFile(file, kind.config(port, new URL(url).host, folder));
  let output = '';
  const child = spawn(kind.program, kind.args(file, folder), {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  // Kills the proxy when this process exits, so that no proxy outlives interrupted tests.
  const killProxy = () => child.kill('SIGKILL');
  process.once('exit', killProxy);
  const place = { url: `http://127.0.0.1:${port}` };
  const stopProxy = async () => {
    process.removeListener('exit', killProxy);
    await endProcess(child);
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) break;
    const { status } = await exchangeRaw(place, createRequestHead('GET', '/health/live', {}));
    if (status === 200) return { ...place, stop: stopProxy };
    await pause(100);
  }
  await stopProxy();
  throw new Error(`${kind.program} did not start:\n${output}`);
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([exited, pause(5000).then(() => child.kill('SIGKILL'))]);
  await exited;
}
