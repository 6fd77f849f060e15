/** How the C library hands out memory, which is where libvips has its pictures. */

/**
 * glibc makes up to eight arenas for each core, keeps in them what was freed, and raises by itself the size above which
 * it gives memory back at once: after some thousand pictures of all sizes a server held 1 GB, and most of its
 * arenas was free (ADR 47). With two arenas and a fixed size it took 0.5 GB at most.
 */
const settings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(16 * 1024 * 1024),
};

/**
 * The environment to start a process with that works on pictures. Whoever has chosen one of these, or another
 * allocator, has chosen.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export function withAllocator(environment) {
  const isChosen = Object.keys(environment).some(
    (name) => name.startsWith('MALLOC_') || name === 'GLIBC_TUNABLES' || name === 'LD_PRELOAD',
  );
  return isChosen ? environment : { ...environment, ...settings };
}

/**
 * The C library reads them when a process begins, so this one begins again in place: the same process, with its
 * terminal, files and signals, some 40 ms later. Not where somebody holds a channel to it, which would be lost, and
 * nowhere but on Linux.
 */
export function startWithAllocator() {
  if (process.platform !== 'linux' || process.execve === undefined || process.connected) return;
  const environment = withAllocator(process.env);
  if (environment === process.env) return;
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    environment,
  );
}
