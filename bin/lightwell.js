#!/usr/bin/env node
// Starts the command line with a Node version that runs TypeScript. Plain JavaScript, because an old Node version must
// be able to run this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const minMajor = 26;
const cli = join(dirname(fileURLToPath(import.meta.url)), '..', 'server', 'cli.ts');

/** Returns the path of the Node that `npm ci` installed, or of the running Node if it is new enough. */
function findNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const packaged = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(packaged)) return packaged;
  } catch {
    // The `node` package is not installed, so the running Node is checked instead.
  }
  return Number(process.versions.node.split('.')[0]) >= minMajor ? process.execPath : undefined;
}

const node = findNode();
if (node) {
  start(node);
} else {
  console.error(`error: lightwell needs Node ${minMajor}, but this is ${process.version}.`);
  console.error('Run "npm ci" in the folder of lightwell to install the right one, or install a newer Node.');
  process.exitCode = 1;
}

function start(command) {
  const child = spawn(command, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child process as well. A second signal would stop the child without waiting for
      // its work.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`error: cannot start ${command}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
