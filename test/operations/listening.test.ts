/** Tests the addresses on which a server listens, the health check of its image, and its public address. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { ConfigError, readConfig } from '../../server/config.ts';
import { startServer } from '../support/server-process.ts';

const project = resolve(import.meta.dirname, '../..');
const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.family === 'IPv6');
const needsIpv6 = { skip: !hasIpv6 && 'this machine has no IPv6' };

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lightwell-listening-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Starts a server on the given host, and calls `work` with its port. */
async function withServer(host: string, work: (port: string) => Promise<void>): Promise<string> {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  const server = await startServer({ dataDir, environment: { HOST: host, LOG_LEVEL: 'info' } });
  try {
    await work(new URL(server.url).port);
  } finally {
    await server.end('SIGTERM');
  }
  return server.output();
}

/** Runs the health check of the image. Returns its exit code. */
async function checkHealth(environment: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, ['server/health-check.ts'], {
    cwd: project,
    env: { PATH: process.env.PATH, ...environment },
    stdio: 'ignore',
  });
  return (await once(child, 'exit'))[0];
}

const readStatus = async (url: string) => (await fetch(url).catch(() => ({ status: 0 }))).status;

test(
  'without HOST, the server accepts IPv6 and IPv4, and writes IPv4 addresses plainly',
  needsIpv6,
  async () => {
    const output = await withServer('', async (port) => {
      for (const host of ['127.0.0.1', '[::1]', 'localhost'])
        assert.equal(await readStatus(`http://${host}:${port}/health`), 200, host);
      assert.equal(await checkHealth({ PORT: port }), 0);
      await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'nobody', password: 'wrong password' }),
      });
    });
    assert.match(output, /"address":"127\.0\.0\.1"/);
    assert.doesNotMatch(output, /::ffff:/);
  },
);

test('the health check of the image follows HOST and PORT', async () => {
  const hosts = ['127.0.0.1', ...(hasIpv6 ? ['::1'] : [])];
  for (const HOST of hosts) {
    await withServer(HOST, async (PORT) => {
      assert.equal(await checkHealth({ HOST, PORT }), 0, HOST);
      if (HOST === '::1') assert.equal(await checkHealth({ PORT, HOST: '127.0.0.1' }), 1);
    });
  }
  const dockerfile = await readFile(join(project, 'Dockerfile'), 'utf8');
  assert.match(dockerfile, /^HEALTHCHECK .*\n {2}CMD \["node", "server\/health-check\.ts"\]$/m);
});

test('the image runs as a user with a number, as Kubernetes demands', async () => {
  const dockerfile = await readFile(join(project, 'Dockerfile'), 'utf8');
  assert.match(dockerfile, /^USER [1-9]\d*:[1-9]\d*$/m);
});

test('the labels of the image name the version of the package', async () => {
  const { version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const dockerfile = await readFile(join(project, 'Dockerfile'), 'utf8');
  assert.ok(dockerfile.includes(`org.opencontainers.image.version="${version}"`));
});

for (const [typed, nearest] of [
  ['RATE_LIMITS', 'RATE_LIMIT'],
  ['RATELIMIT', 'RATE_LIMIT'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['MAX_UPLOAD', 'MAX_UPLOAD_MB'],
  ['BASEURL', 'BASE_URL'],
  ['base_url', 'BASE_URL'],
  ['TRUST_PROXYS', 'TRUST_PROXY'],
  ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
  ['SMTP_URI', 'SMTP_URL'],
  ['AWS_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'],
  ['SECRETS_FILE', 'SECRET'],
] as const)
  test(`warns about the variable ${typed}, which nearly has the name of a setting`, () => {
    const { warnings } = readConfig({ [typed]: '5' });
    assert.deepEqual(warnings, [`${typed} is no setting. Did you mean ${nearest}?`]);
  });

test('does not warn about variables of other programs', () => {
  const others = ['PATH', 'HOME', 'HOSTNAME', 'LANG', 'TERM', 'USER', 'PWD', 'SHLVL', 'TZ', 'NODE_OPTIONS'];
  const more = [
    'AWS_REGION',
    'AWS_PROFILE',
    'POSTGRES_PASSWORD',
    'SITE_ADDRESS',
    'S3_SECRET_KEY',
    'npm_config_cache',
  ];
  const given = Object.fromEntries([...others, ...more].map((name) => [name, 'x']));
  assert.deepEqual(readConfig(given).warnings, []);
  assert.deepEqual(readConfig(process.env).warnings, []);
});

test('a BASE_URL that is more than a scheme and a host is refused in one sentence with the cure', () => {
  const wrong = [
    'https://example.org/photos',
    'https://example.org/photos/',
    'https://example.org/a/b/c',
    'https://example.org/?gallery=1',
    'https://example.org/#gallery',
    'https://example.org?',
    'https://example.org#',
    'https://user:secret@example.org',
    'https://example.org:8443/gallery',
  ];
  for (const BASE_URL of wrong) {
    assert.throws(
      () => readConfig({ BASE_URL }),
      (error) =>
        error instanceof ConfigError &&
        /^ {2}- BASE_URL: must [^\n]*: set https:\/\/example\.org(:8443)?$/m.test(error.message),
      BASE_URL,
    );
  }
  for (const [BASE_URL, expected] of [
    ['https://photos.example.org', 'https://photos.example.org'],
    ['https://photos.example.org/', 'https://photos.example.org'],
    ['http://192.168.1.5:3000', 'http://192.168.1.5:3000'],
    ['http://[fd00::1]:3000/', 'http://[fd00::1]:3000'],
  ])
    assert.equal(readConfig({ BASE_URL }).baseUrl, expected);
});
