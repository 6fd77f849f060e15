/** Tests the start on machines on which sharp does not load, with a changed copy of the application. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

const repository = resolve(import.meta.dirname, '../..');
/** Modules that a picture worker loads. A worker may read real files of the application only. */
const workerModules = [
  'sharp',
  'detect-libc',
  'semver',
  '@img',
  'thumbhash',
  'exifreader',
  '@xmldom',
  '@photostructure',
];
const binary = `sharp-${process.platform}-${process.arch}`;

let application: string;

before(() => {
  application = mkdtempSync(join(tmpdir(), 'lightwell-sharp-'));
  const modules = join(application, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    const from = join(repository, 'node_modules', name);
    if (workerModules.includes(name)) cpSync(from, join(modules, name), { recursive: true });
    else symlinkSync(from, join(modules, name));
  }
  cpSync(join(repository, 'server'), join(application, 'server'), { recursive: true });
  for (const name of ['package.json', 'openapi.json', 'dist', 'web'])
    symlinkSync(join(repository, name), join(application, name));
});
after(() => rmSync(application, { recursive: true, force: true }));

/** Starts the server of the copy, and returns its exit code and its error output. */
function startCopy(): Promise<{ code: unknown; error: string }> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: mkdtempSync(join(application, 'data-')),
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
  return new Promise((resolved) =>
    execFile(process.execPath, [join(application, 'server/main.js')], { env }, (failure, _, error) =>
      resolved({ code: failure?.code, error }),
    ),
  );
}

test('tells in one sentence that the processor is too old for sharp', async () => {
  const binding = join(application, 'node_modules/@img', binary, 'index.cjs');
  // sharp asks its own library whether the processor is new enough.
  writeFileSync(binding, 'module.exports = { _isUsingX64V2: () => false };');
  const { code, error } = await startCopy();
  assert.equal(code, 1, error);
  assert.match(
    error.trim(),
    /^The server cannot decode pictures: the processor is too old for sharp, .*"host".*\.$/,
  );
});
