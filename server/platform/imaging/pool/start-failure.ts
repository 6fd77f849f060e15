/** Says in one sentence why picture workers cannot start, and what to do. The usual cause is that sharp does not load. */
import { WorkerEnded } from './worker-ended.ts';

interface StartFailureReason {
  /** Text in the worker's error messages. The first match counts. */
  pattern: RegExp;
  sentence: string;
}

const oldProcessor =
  'the processor is too old for sharp, which needs x86-64-v2 (SSE4.2). Give a virtual machine the processor type ' +
  '"host" or "x86-64-v2", or use a newer machine.';

const startFailureReasons: StartFailureReason[] = [
  { pattern: /v2 microarchitecture|Unsupported CPU|^SIGILL|illegal instruction/i, sentence: oldProcessor },
  {
    pattern: /\/snap\/core/,
    sentence:
      'the Node of a snap cannot load sharp. Remove that Node (snap remove node), and start with npm start.',
  },
  {
    pattern: /(GLIBC|GLIBCXX|CXXABI)_[\d.]+'? not found|symbol not found/,
    sentence:
      'the C library of this system is too old for sharp. Update the system, or use the Docker image.',
  },
  {
    pattern: /libstdc\+\+\.so\S*: cannot open/,
    sentence: 'the library libstdc++ is missing. Install it (libstdc++6 on Debian, libstdc++ on Alpine).',
  },
  {
    pattern: /failed to map segment[^\n]*Operation not permitted/,
    sentence: 'the volume of node_modules forbids programs (noexec). Mount it without noexec.',
  },
  {
    pattern:
      /invalid ELF header|wrong ELF class|file too short|Exec format error|not a mach-o|%1 is not a valid Win32/i,
    sentence:
      'the files of sharp are damaged or come from another kind of machine. Delete node_modules, and run npm ci here.',
  },
  {
    pattern: /sharp[^\n]*(EACCES|Permission denied)|(EACCES|Permission denied)[^\n]*sharp/i,
    sentence: 'the files of sharp are not readable for the user of the server. Run npm ci as that user.',
  },
  {
    pattern: /ERR_DLOPEN_DISABLED/,
    sentence: 'NODE_OPTIONS has --no-addons, so sharp cannot load. Remove --no-addons.',
  },
  {
    pattern: /Please upgrade Node\.js/,
    sentence:
      'this version of Node is too old for sharp. Start the server with npm start, which brings its own Node.',
  },
  {
    pattern: /Could not load the "sharp" module|Cannot find (module|package) '(@img\/)?sharp/,
    sentence:
      'sharp is not installed for this system. Run npm ci on this machine, without --omit=optional or --os and --cpu.',
  },
  {
    pattern: /has known security problems/,
    sentence: 'the installed version of sharp has known security problems. Run npm ci.',
  },
  {
    pattern: /out of memory|allocation failed|failed to allocate|Cannot allocate memory/i,
    sentence: 'a picture worker gets too little memory. Raise the memory limit of the service or container.',
  },
  {
    pattern: /^SIGKILL/,
    sentence:
      'the first picture worker was killed, or was not ready within 30 seconds. The machine is overloaded or lacks ' +
      'memory.',
  },
];

/** Returns the sentence for an error of the first picture worker. An unknown error is named by its most telling line. */
export function describeStartFailure(error: unknown): string {
  const text = error instanceof WorkerEnded ? error.detail : String(error);
  const known = startFailureReasons.find(({ pattern }) => pattern.test(text));
  if (known) return known.sentence;
  const lines = text.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line.includes('Error: ')) ?? lines[0]!;
}
