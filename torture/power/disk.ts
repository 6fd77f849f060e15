/**
 * Simulates a disk that loses power: a file system in an image, mounted through a loop device. Unflushed data
 * is in the kernel's memory and not in the image, so a copy of the image is the disk after a power cut.
 */
import { chmod, mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mount, runProgram, unmount } from '../../test/support/mounts.ts';

export interface Disk {
  /** Mount point, which any user may enter. */
  folder: string;
  /** A folder on the simulated disk for the gallery's data. */
  dataDir: string;
  /** Flushes data that an operator prepared, so that it survives the first power cut. */
  flush(): Promise<void>;
  /** Cuts the power and restores it. All processes that use the disk must be killed before. */
  cut(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Kinds of file systems. Journaling and write ordering of ext4 are off, so that only explicitly flushed data
 * survives. Without a journal (like ext2), a file name survives only if its folder was flushed.
 */
export const kinds = {
  'ext4, only flushed bytes': {
    make: [],
    options: 'loop,noauto_da_alloc,data=writeback,commit=600',
    isChecked: false,
  },
  'ext4 without a journal': { make: ['-O', '^has_journal'], options: 'loop', isChecked: true },
} as const;
export type DiskKind = keyof typeof kinds;

const bytes = 256 * 1024 * 1024;
const memory = '/dev/shm';

/** Creates a disk, or returns the reason why this machine cannot. */
export async function makeDisk(kind: DiskKind): Promise<Disk | string> {
  const { make, options, isChecked } = kinds[kind];
  const folder = await mkdtemp(join(await imageFolder(), 'lightwell-power-'));
  // PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const mounted = join(folder, 'disk');
  let image = join(folder, 'image-0');
  let cuts = 0;
  const end = async () => {
    await unmount(mounted).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  await mkdir(mounted);
  try {
    await writeEmpty(image);
    await runProgram('mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0', ...make, image]);
  } catch (error) {
    await end();
    return (error as Error).message;
  }
  const refused = await mount(mounted, '-o', options, image);
  if (refused) {
    await rm(folder, { recursive: true, force: true });
    return refused;
  }
  const dataDir = join(mounted, 'data');
  await mkdir(dataDir);
  const flush = async () => {
    await runProgram('sync', ['--file-system', mounted]);
  };
  // The operator's folder exists before the first start.
  await flush();
  return {
    folder: mounted,
    dataDir,
    flush,
    end,
    async cut() {
      const next = join(folder, `image-${++cuts}`);
      // The image is mostly empty, so a sparse copy saves space.
      await runProgram('cp', ['--sparse=auto', image, next]);
      await unmount(mounted);
      await rm(image);
      image = next;
      // Exit code 1 means that e2fsck repaired something.
      if (isChecked) await runProgram('e2fsck', ['-f', '-y', image]).catch(unlessMended);
      const refused = await mount(mounted, '-o', options, image);
      if (refused) throw new Error(`after a power cut: ${refused}`);
    },
  };
}

/**
 * Chooses a folder for the image: in memory if there is enough, because discarded data need not reach a real
 * disk.
 */
async function imageFolder(): Promise<string> {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= 4 * bytes ? memory : tmpdir();
}

async function writeEmpty(path: string): Promise<void> {
  const file = await open(path, 'w');
  await file.truncate(bytes);
  await file.close();
}

function unlessMended(error: { code?: number }): void {
  if (error.code !== 1) throw error;
}
