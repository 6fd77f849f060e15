/** Finds the file system that a folder is on. Only Linux lists its mounts in a file. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns the type of the file system, such as `ext4` or `nfs4`. Undefined if the system does not tell. */
export function findFileSystem(path: string): string | undefined {
  const mounts = '/proc/self/mountinfo';
  if (!existsSync(mounts)) return undefined;
  return findMountType(readFileSync(mounts, 'utf8'), realpathSync(existsSync(path) ? path : dirname(path)));
}

/**
 * Finds the mount of a path in the text of `/proc/self/mountinfo`, and returns its type. A later line hides earlier
 * ones.
 */
export function findMountType(mountInfo: string, path: string): string | undefined {
  let longest = -1;
  let type: string | undefined;
  for (const line of mountInfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const folder = unescapeFolder(before.split(' ')[4] ?? '');
    if (folder === '' || folder.length < longest || !isInside(path, folder)) continue;
    longest = folder.length;
    type = after.split(' ')[0];
  }
  return type;
}

/** Replaces the octal numbers that stand for blanks, tabs, line ends and backslashes. */
function unescapeFolder(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Types of file systems that other machines serve, or that a virtual machine shares with its host. */
const remoteTypes =
  /^(nfs4?|cifs|smb\d?|smbfs|ncpfs|afs|coda|9p|ceph|lustre|gpfs|glusterfs|beegfs|orangefs|pvfs2|davfs|vboxsf|prl_fs|vmhgfs|virtiofs|fakeowner)$|^fuse\.(?!ext|mergerfs|snapfuse|lxcfs|gocryptfs|encfs|cryfs|bindfs)/;

/** Returns whether locks and shared memory of SQLite are unsafe on a file system of this type. */
export function isRemoteFileSystem(type: string): boolean {
  return remoteTypes.test(type);
}
