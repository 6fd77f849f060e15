/** Small volumes for a gallery's database and files, which tests fill or make read-only. */
import { chmod, mkdir, mkdtemp, rm, stat, statfs, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mount, runProgram, unmount } from './mounts.ts';

export interface FillableVolume {
  name: string;
  /** Fills the volume until about `bytes` bytes are free. */
  leaveFree(bytes: number): Promise<void>;
  makeRoom(): Promise<void>;
  /**
   * Makes the volume read-only or writable. Returns the reason of a refusal, usually a file that is open for
   * writing.
   */
  setReadOnly(isReadOnly: boolean): Promise<string | undefined>;
}

export interface GalleryVolumes {
  dataDir: string;
  /** The volume of the folders `files` and `tmp`. */
  files: FillableVolume;
  /** The volume of everything else in DATA_DIR, with the SQLite database. */
  database: FillableVolume;
  end(): Promise<void>;
}

/** A single volume, which is not part of a gallery's data folder. */
export interface SingleVolume extends FillableVolume {
  /** Folder of the volume, which every user may enter. */
  folder: string;
  end(): Promise<void>;
}

const databaseMb = 48;
const filesMb = 128;
const maxFillTries = 20;

/** Creates a volume. Returns a text with the reason if the machine does not allow volumes. */
export async function makeVolume(name: string, megabytes: number): Promise<SingleVolume | string> {
  const outer = await mkdtemp(join(tmpdir(), 'lightwell-volume-'));
  await chmod(outer, 0o711);
  const folder = join(outer, 'volume');
  const removeVolume = async () => {
    await unmount(folder).catch(() => {});
    await rm(outer, { recursive: true, force: true });
  };
  await mkdir(folder);
  const refused = await mount(folder, '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs');
  if (!refused) return { ...createFillableVolume(name, folder), folder, end: removeVolume };
  await removeVolume();
  return refused;
}

/** Creates the volumes of a gallery. Returns a text with the reason if the machine does not allow volumes. */
export async function makeVolumes(): Promise<GalleryVolumes | string> {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-volumes-'));
  const [dataDir, other] = [join(folder, 'data'), join(folder, 'other')];
  const removeVolumes = async () => {
    for (const mounted of [dataDir, other]) await unmount(mounted).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  for (const [mounted, megabytes] of [
    [dataDir, databaseMb],
    [other, filesMb],
  ] as const) {
    await mkdir(mounted);
    const refused = await mount(mounted, '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs');
    if (!refused) continue;
    await removeVolumes();
    return refused;
  }
  // Puts both folders on one volume, because the server renames files from one to the other.
  for (const name of ['files', 'tmp']) {
    await mkdir(join(other, name));
    await symlink(join(other, name), join(dataDir, name));
  }
  return {
    dataDir,
    database: createFillableVolume('database', dataDir),
    files: createFillableVolume('files', other),
    end: removeVolumes,
  };
}

function createFillableVolume(name: string, folder: string): FillableVolume {
  const filler = join(folder, 'filler');
  return {
    name,
    async leaveFree(bytes) {
      // Tries several times, because the server may write to the volume at the same time.
      for (let left = maxFillTries; left > 0; left--) {
        const { bavail, bsize } = await statfs(folder);
        const filled = await stat(filler).then(
          ({ size }) => size,
          () => 0,
        );
        const length = filled + bavail * bsize - bytes;
        if (length <= filled) return;
        const isFilled = await runProgram('fallocate', ['--length', String(length), filler]).then(
          () => true,
          () => false,
        );
        if (isFilled) return;
      }
    },
    makeRoom: () => rm(filler, { force: true }),
    setReadOnly: (isReadOnly) => mount(folder, '-o', `remount,${isReadOnly ? 'ro' : 'rw'}`),
  };
}
