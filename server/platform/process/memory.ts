/** Determines how much memory this process may use. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** Versions 1 and 2 of Linux control groups, and the file in which each stores the memory limit. */
const cgroupVersions = [
  { isMine: (controllers: string) => controllers === '', root: '', file: 'memory.max' },
  {
    isMine: (controllers: string) => controllers.split(',').includes('memory'),
    root: 'memory',
    file: 'memory.limit_in_bytes',
  },
];

/**
 * Returns the memory limit in bytes. The limits of all parent groups count as well, e.g. of systemd slices or Docker's
 * parent groups.
 */
export function memoryLimit(root = '/sys/fs/cgroup', own = '/proc/self/cgroup'): number {
  const limits = readControlGroups(own).flatMap(({ controllers, path }) =>
    cgroupVersions
      .filter(({ isMine }) => isMine(controllers))
      .flatMap((version) => limitsUpwards(join(root, version.root), path, version.file)),
  );
  return Math.min(totalmem(), ...limits);
}

function readControlGroups(file: string): { controllers: string; path: string }[] {
  const lines = readFileOrEmpty(file).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [, controllers = '', ...path] = line.split(':');
    return { controllers, path: path.join(':') };
  });
}

/**
 * Returns the limits of a control group and its parents. In a container the path is often the host's and does not exist
 * there; then the root is the container's own group.
 */
function limitsUpwards(root: string, path: string, file: string): number[] {
  const limits: number[] = [];
  for (let group = path; ; group = dirname(group)) {
    const limit = Number.parseInt(readFileOrEmpty(join(root, group, file)), 10);
    if (limit > 0) limits.push(limit);
    if (group === '/' || group === '.' || group === '') return limits;
  }
}

function readFileOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
