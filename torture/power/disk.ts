/**
 * A disk that loses power: a file system in an image, mounted through a loop device. What was not flushed lies in the
 * kernel's memory and not in the image; so a copy of the image is what the disk holds after a power cut.
 */
import { chmod, mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mount, runProgram, unmount } from '../../test/support/mounts.ts';

export interface Disk {
  /** Where it is mounted; any user may enter. */
  folder: string;
  /** A folder on it. */
  dataDir: string;
  /** What an operator prepared is there when the power goes for the first time. */
  flush(): Promise<void>;
  /** Takes the power away and brings it back. Whoever used it is to be killed before. */
  cut(): Promise<void>;
  end(): Promise<void>;
}

/**
 * ext4 puts a file's bytes into place when its journal takes their names, and writes its journal every five seconds:
 * both are switched off, so that only what is flushed by hand is kept. Without a journal (as ext2 was), names are kept
 * only where their folder was flushed.
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

/** Or why there can be none here. */
export async function makeDisk(kind: DiskKind): Promise<Disk | string> {
  const { make, options, isChecked } = kinds[kind];
  const folder = await mkdtemp(join(await imageFolder(), 'lightwell-power-'));
  // PostgreSQL runs as another user.
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
  // The operator's folder is there before the first start.
  await flush();
  return {
    folder: mounted,
    dataDir,
    flush,
    end,
    async cut() {
      const next = join(folder, `image-${++cuts}`);
      // Mostly holes.
      await runProgram('cp', ['--sparse=auto', image, next]);
      await unmount(mounted);
      await rm(image);
      image = next;
      // 1: it mended something.
      if (isChecked) await runProgram('e2fsck', ['-f', '-y', image]).catch(unlessMended);
      const refused = await mount(mounted, '-o', options, image);
      if (refused) throw new Error(`after a power cut: ${refused}`);
    },
  };
}

/** In memory where there is plenty: what is thrown away at a cut need not be written to a real disk before. */
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
