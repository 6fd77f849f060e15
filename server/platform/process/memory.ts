/** How much memory there is. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** Both generations of control groups, and where each says how much. */
const versions = [
  { isMine: (controllers: string) => controllers === '', root: '', file: 'memory.max' },
  {
    isMine: (controllers: string) => controllers.split(',').includes('memory'),
    root: 'memory',
    file: 'memory.limit_in_bytes',
  },
];

/** Bytes. A limit of any group above counts as well: systemd's slices and Docker's parents have theirs. */
export function memoryLimit(root = '/sys/fs/cgroup', own = '/proc/self/cgroup'): number {
  const limits = groupsOf(own).flatMap(({ controllers, path }) =>
    versions
      .filter(({ isMine }) => isMine(controllers))
      .flatMap((version) => limitsUpwards(join(root, version.root), path, version.file)),
  );
  return Math.min(totalmem(), ...limits);
}

function groupsOf(file: string): { controllers: string; path: string }[] {
  const lines = read(file).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [, controllers = '', ...path] = line.split(':');
    return { controllers, path: path.join(':') };
  });
}

/**
 * In a container the path is often that of the host, which is not there: the container's own group is the root then.
 */
function limitsUpwards(root: string, path: string, file: string): number[] {
  const limits: number[] = [];
  for (let group = path; ; group = dirname(group)) {
    const limit = Number.parseInt(read(join(root, group, file)), 10);
    if (limit > 0) limits.push(limit);
    if (group === '/' || group === '.' || group === '') return limits;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
