/** Tests which file systems count as network file systems, where SQLite's locks can fail. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import {
  findFileSystem,
  findMountType,
  isRemoteFileSystem,
} from '../../../server/platform/process/file-system.ts';

const mounts = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /srv rw - nfs4 nas:/export rw,vers=4.2
31 30 0:41 / /srv/local rw - xfs /dev/sdb1 rw
32 22 0:42 / /mnt/my\\040photos rw - cifs //nas/photos rw,nobrl
33 22 0:43 / /data rw - ext4 /dev/sdc1 rw
34 33 0:44 / /data rw master:7 - fuse.sshfs ann@nas:/data rw
35 22 0:45 / /back\\134slash rw - 9p share rw
`;

for (const [path, type] of [
  ['/opt/ann', 'ext4'],
  ['/', 'ext4'],
  ['/srv', 'nfs4'],
  ['/srv/gallery/data', 'nfs4'],
  ['/srv/local/data', 'xfs'],
  ['/srvother', 'ext4'],
  ['/mnt/my photos/data', 'cifs'],
  ['/mnt/my', 'ext4'],
  ['/data', 'fuse.sshfs'],
  ['/back\\slash/x', '9p'],
] as const) {
  test(`finds that ${path} is on ${type}`, () => assert.equal(findMountType(mounts, path), type));
}

test('separates file systems of other machines from local ones', () => {
  const remote =
    'nfs nfs4 cifs smb3 smbfs 9p ceph lustre glusterfs afs vboxsf vmhgfs prl_fs virtiofs fakeowner ' +
    'fuse.sshfs fuse.rclone fuse.s3fs fuse.glusterfs fuse.grpcfuse fuse.juicefs';
  const local =
    'ext4 xfs btrfs zfs f2fs overlay tmpfs apfs bcachefs fuseblk vfat exfat ntfs3 fuse.mergerfs fuse.ext2';
  for (const type of remote.split(' ')) assert.ok(isRemoteFileSystem(type), type);
  for (const type of local.split(' ')) assert.ok(!isRemoteFileSystem(type), type);
});

test('finds the file system of this machine', {
  skip: process.platform !== 'linux' && 'only Linux lists its mounts in a file',
}, () => {
  assert.match(findFileSystem(tmpdir())!, /^[\w.]+$/);
  assert.equal(findFileSystem('/proc/self'), 'proc');
});
