/** Checks the files in `deploy/` with the programs that read them, if the programs are installed. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { parseEnv } from 'node:util';
import { readConfig } from '../../server/config.ts';
import { spawnCommand } from '../support/command.ts';

const deploy = resolve(import.meta.dirname, '../../deploy');

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lightwell-deploy-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const needs = (program: string) => {
  const isHere = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  return { skip: !isHere && `${program} is not installed` };
};

test('the settings file of the service holds settings that the server takes', async () => {
  const text = await readFile(join(deploy, 'systemd/lightwell.env.example'), 'utf8');
  const one = readConfig(parseEnv(text) as Record<string, string>);
  assert.equal(one.dataDir, '/var/lib/lightwell');
  assert.equal(one.baseUrl, 'https://photos.example.org');
  const pair = readConfig(parseEnv(text.replaceAll(/^#([A-Z_]+=)/gm, '$1')) as Record<string, string>);
  assert.match(pair.databaseUrl!, /^postgres:/);
  assert.match(pair.storageUrl!, /^s3:.*&region=us-east-1$/);
  assert.match(pair.redisUrl!, /^redis:/);
});

test('the nightly backup keeps the newest archives, and no old one goes before a new one is whole', async () => {
  const dataDir = join(folder, 'data');
  const environment = { DATA_DIR: dataDir, LIGHTWELL_NODE: process.execPath };
  const created = await spawnCommand(environment, ['user', 'create', 'ann', 'ann@example.org'], {
    input: 'half dome 1927\n',
  });
  assert.equal(created.code, 0, created.error);
  const archives = join(folder, 'archives');
  execFileSync('mkdir', [archives]);
  const old = ['gallery-2026-01-01T03-20-00Z.tar', 'gallery-2026-01-02T03-20-00Z.tar'];
  for (const name of [...old, 'letters.tar', 'gallery-2026-01-03T03-20-00Z.tar.part']) {
    await writeFile(join(archives, name), 'old');
  }

  const run = (settings: Record<string, string>) =>
    spawnSync('sh', [join(deploy, 'systemd/backup.sh'), archives, '2'], {
      env: { PATH: process.env.PATH, ...settings },
      encoding: 'utf8',
    });
  const failed = run({ ...environment, DATA_DIR: join(folder, 'nothing') });
  assert.notEqual(failed.status, 0);
  assert.deepEqual((await readdir(archives)).sort(), [...old, 'letters.tar']);

  const done = run(environment);
  assert.equal(done.status, 0, done.stderr);
  const names = (await readdir(archives)).sort();
  assert.equal(names.length, 3);
  assert.deepEqual([names[0], names[2]], [old[1], 'letters.tar']);
  assert.match(names[1]!, /^gallery-20\d\d-.*Z\.tar$/);
});

test('systemd reads the units', needs('systemd-analyze'), async () => {
  for (const name of ['lightwell.service', 'lightwell-backup.service', 'lightwell-backup.timer']) {
    const unit = await readFile(join(deploy, 'systemd', name), 'utf8');
    // Replaces the program of the systemd unit, because a program that is missing on this machine is no
    // mistake of the unit.
    await writeFile(join(folder, name), unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'));
  }
  const { stderr } = spawnSync(
    'systemd-analyze',
    [
      'verify',
      '--man=no',
      ...['lightwell.service', 'lightwell-backup.timer'].map((name) => join(folder, name)),
    ],
    { encoding: 'utf8' },
  );
  const complaints = stderr
    .split('\n')
    .filter((line) => line.includes('lightwell') && !/is world-inaccessible/.test(line));
  assert.deepEqual(complaints, []);
});

test('nginx reads its two files', needs('nginx'), async () => {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=photos.example.org'],
      ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
    ],
    { stdio: 'ignore' },
  );
  for (const name of ['nginx-one.conf', 'nginx-pair.conf']) {
    const site = (await readFile(join(deploy, name), 'utf8'))
      .replace(/\/etc\/letsencrypt\S+fullchain\.pem/, join(folder, 'cert.pem'))
      .replace(/\/etc\/letsencrypt\S+privkey\.pem/, join(folder, 'key.pem'));
    const file = join(folder, name);
    await writeFile(file, `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\n${site}\n}\n`);
    const { status, stderr } = spawnSync('nginx', ['-t', '-c', file], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
});

test('Caddy reads the Caddyfile', needs('caddy'), () => {
  const { status, stderr } = spawnSync(
    'caddy',
    ['validate', '--adapter', 'caddyfile', '--config', join(deploy, 'Caddyfile')],
    { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder, SITE_ADDRESS: 'localhost' } },
  );
  assert.equal(status, 0, stderr);
});

test('the settings of .env reach the servers of compose.yaml, and those of its example are taken', async () => {
  const compose = await readFile(resolve(deploy, '../compose.yaml'), 'utf8');
  const servers = /^x-lightwell:[\s\S]*?^services:/m.exec(compose)![0];
  assert.match(servers, /^ {2}env_file:\n {4}- path: \.env\n/m);
  const text = await readFile(join(deploy, 'env.example'), 'utf8');
  const settings = parseEnv(text.replaceAll(/^#([A-Z_]+=)/gm, '$1')) as Record<string, string>;
  // Leaves out empty settings, which operators fill in: an admin without a password would be refused.
  const filledIn = Object.entries(settings).filter(([, value]) => value !== '');
  const config = readConfig({ ...Object.fromEntries(filledIn), BASE_URL: 'https://localhost' });
  assert.equal(config.registration, 'invite');
  assert.equal(config.mail?.from, 'Our gallery <gallery@example.org>');
  assert.equal(config.defaultQuotaBytes, 20_000 * 1024 ** 2);
});

test('compose.yaml has the bucket synced to the disk before a server writes to it', async () => {
  const compose = await readFile(resolve(deploy, '../compose.yaml'), 'utf8');
  const findBlock = (head: string) => {
    const indented = `${/^ */.exec(head)![0]} .*`;
    return new RegExp(`^${head}.*\\n(?:(?:${indented})?\\n)*`, 'm').exec(compose)![0];
  };
  const bucket = /STORAGE_URL: s3:\/\/([\w-]+)\?/.exec(findBlock('x-lightwell:'))![1]!;
  assert.match(findBlock('x-lightwell:'), / s3-bucket:\n +condition: service_completed_successfully\n/);

  const script = /^ +- \|\n((?: {8}.*\n)+)/m.exec(findBlock('  s3-bucket:'))![1]!.replaceAll('$$', '$');
  const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const sync = script.indexOf(`fs.configure -locationPrefix=/buckets/${bucket}/ -fsync -apply`);
  assert.ok(sync >= 0, `what is written to ${bucket} is not synced`);
  const ends = [...script.matchAll(/\bexit 0\b/g)];
  assert.equal(ends.length, 1);
  assert.ok(ends[0]!.index > sync, 'it is done before the bucket is synced');
  assert.match(script, /fs\.configure \| grep -q fsync && exit 0$/m);
});

test('the scripts are executable and read by sh', async () => {
  for (const name of ['backup.sh', 'lightwell']) {
    const { status, stderr } = spawnSync('sh', ['-n', join(deploy, 'systemd', name)], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    execFileSync('test', ['-x', join(deploy, 'systemd', name)]);
  }
});

test(
  'nftables reads the firewall of docs/deploy.md, and nothing of an earlier one stays',
  needs('nft'),
  async () => {
    const page = await readFile(resolve(deploy, '../docs/deploy.md'), 'utf8');
    const rules = /^#!\/usr\/sbin\/nft -f\n[\s\S]*?(?=^```)/m.exec(page)![0];
    assert.match(rules, /^flush ruleset$/m);
    const file = join(folder, 'nftables.conf');
    // Removes the comment marks, so that nft checks the rules for all kinds of machines.
    await writeFile(file, rules.replaceAll(/^(\t\t)# (?=ip|tcp|udp)/gm, '$1'));
    const { status, stderr } = spawnSync('nft', ['-c', '-f', file], { encoding: 'utf8' });
    assert.ok(status === 0 || /Operation not permitted/.test(stderr), stderr);
  },
);
