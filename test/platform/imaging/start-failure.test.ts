/** Tests the sentence that says why picture workers cannot start, for each reason why sharp does not load. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStartFailure } from '../../../server/platform/imaging/pool/start-failure.ts';
import { WorkerEnded } from '../../../server/platform/imaging/pool/worker-ended.ts';

/** Returns the error output of a worker whose sharp could not load, as sharp 0.35 writes it. */
function sharpOutput(...reasons: string[]): string {
  return `1, file:///srv/node_modules/sharp/dist/sharp.mjs:123
  throw new Error(help.join("\\n"));
        ^

Error: Could not load the "sharp" module using the linux-x64 runtime
${reasons.join('\n')}
Possible solutions:
- Ensure optional dependencies can be installed:
    npm install --include=optional sharp
    at file:///srv/node_modules/sharp/dist/sharp.mjs:123:9

Node.js v26.10.0`;
}

const elf = 'ERR_DLOPEN_FAILED: /srv/node_modules/@img/sharp-linux-x64/lib/sharp-linux-x64-0.35.5.node: ';

for (const [name, output, sentence] of [
  [
    'an old processor',
    sharpOutput('Unsupported CPU: Prebuilt binaries for Linux x64 require v2 microarchitecture'),
    /^the processor is too old for sharp, .* "host" /,
  ],
  ['an instruction that the processor lacks', 'SIGILL, ', /^the processor is too old/],
  ['a missing package', sharpOutput(), /^sharp is not installed for this system. Run npm ci/],
  [
    'sharp itself missing',
    "1, Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'sharp' imported from /srv/server/sharp.ts",
    /^sharp is not installed/,
  ],
  [
    'an old C library',
    sharpOutput(`${elf}/lib/libc.so.6: version \`GLIBC_2.28' not found`),
    /^the C library of this system is too old/,
  ],
  [
    'glibc files on Alpine',
    sharpOutput('ERR_DLOPEN_FAILED: Error relocating sharp.node: __memcpy_chk: symbol not found'),
    /^the C library/,
  ],
  [
    'a missing libstdc++',
    sharpOutput('ERR_DLOPEN_FAILED: libstdc++.so.6: cannot open shared object file'),
    /^the library libstdc\+\+ is missing/,
  ],
  [
    'a volume without programs',
    sharpOutput(`${elf}failed to map segment from shared object: Operation not permitted`),
    /noexec/,
  ],
  [
    'files of another machine',
    sharpOutput(`${elf}invalid ELF header`),
    /^the files of sharp are damaged or come from another kind of machine/,
  ],
  ['a truncated file', sharpOutput(`${elf}file too short`), /^the files of sharp are damaged/],
  [
    'files of root',
    sharpOutput(`${elf}cannot open shared object file: Permission denied`),
    /not readable for the user of the server/,
  ],
  ['the Node of a snap', sharpOutput(`${elf}/snap/core20/lib/libc.so.6: x`), /snap remove node/],
  ['no add-ons', sharpOutput('ERR_DLOPEN_DISABLED: Cannot load native addon'), /--no-addons/],
  [
    'an old sharp',
    '1, Error: sharp 0.34.1 has known security problems; install version 0.35.5 or newer',
    /known security problems. Run npm ci/,
  ],
  ['a busy machine', 'SIGKILL, ', /^the first picture worker was killed/],
  ['little memory', '134, FATAL ERROR: Reached heap limit Allocation failed', /too little memory/],
] as const) {
  test(`names the reason and the cure for ${name}`, () => {
    const told = describeStartFailure(new WorkerEnded('crash', output));
    assert.match(told, sentence);
    assert.doesNotMatch(told, /\n/);
    assert.match(told, /\.$/);
  });
}

test('names an unknown error by its own line', () => {
  const error = new WorkerEnded(
    'crash',
    '1, x.ts:3\n  throw y\n\nRangeError: the moon is full\n    at x.ts:3:1',
  );
  assert.equal(describeStartFailure(error), 'RangeError: the moon is full');
  assert.match(describeStartFailure(new Error('ENOTDIR: not a directory')), /^Error: ENOTDIR/);
});
