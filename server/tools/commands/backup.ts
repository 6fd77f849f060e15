/** The command `lightwell backup` writes the whole gallery to one file while the server runs. */
import { open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { recordBackup } from '../../platform/db/last-backup.ts';
import type { BackupWriter } from '../transfer/backup/writer.ts';
import { countDigestedRows } from '../transfer/digest.ts';
import { CommandError } from './failure.ts';
import { withDeps } from './run.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('write the gallery into an archive, also while the server runs')
    .argument('<file>', 'the archive to write; - for standard output, or for standard input with --verify')
    .option('--verify', 'only read the archive and compare all checksums')
    .action((file: string, { verify }: { verify?: boolean }) =>
      verify ? verifyBackup(file) : writeBackup(file),
    );
}

async function writeBackup(file: string): Promise<void> {
  const { backUpGallery } = await import('../transfer/backup/backup.ts');
  const { createProgressLine } = await import('./progress.ts');
  await withDeps(async (deps) => {
    const out = await openOutput(file);
    const begin = deps.clock();
    const { objects, missing, damaged, tables } = await out.fill((archive) =>
      backUpGallery(deps, archive, { namesFile: out.namesFile, progress: createProgressLine() }),
    );
    const rows = countDigestedRows(tables);
    await recordBackup(deps.db, begin);
    console.error(`Backed up: ${rows} rows and ${objects} files.`);
    if (missing.length + damaged.length === 0) return;
    throw new CommandError(
      `the archive is complete, but the gallery itself is damaged: ${missing.length} files are ` +
        `missing, and ${damaged.length} have other bytes than their rows say. The manifest.json of ` +
        'the archive lists them',
    );
  });
}

/** Opens the output. A file gets its final name only when the archive is complete and on the disk. */
async function openOutput(file: string) {
  const { createBackupWriter } = await import('../transfer/backup/writer.ts');
  if (file === '-') {
    return {
      namesFile: join(tmpdir(), `lightwell-backup-${process.pid}.names`),
      fill: <Result>(work: (archive: BackupWriter) => Promise<Result>) =>
        work(createBackupWriter(process.stdout)),
    };
  }
  const part = `${resolve(file)}.part`;
  const handle = await open(part, 'w', 0o600).catch((error: Error) => {
    throw new CommandError(`cannot write the archive: ${error.message}`);
  });
  return {
    namesFile: `${part}.names`,
    async fill<Result>(work: (archive: BackupWriter) => Promise<Result>): Promise<Result> {
      const { syncFile, syncFolder } = await import('../../platform/storage/durable.ts');
      const archive = createBackupWriter(handle.createWriteStream());
      try {
        const result = await work(archive);
        await syncFile(part);
        await rename(part, resolve(file));
        await syncFolder(dirname(part));
        return result;
      } catch (error) {
        await archive.abort();
        await rm(part, { force: true });
        throw error;
      }
    },
  };
}

const standardInput = '/dev/stdin';

async function verifyBackup(file: string): Promise<void> {
  const { verifyBackupArchive } = await import('../transfer/restore/restore.ts');
  const { createProgressLine } = await import('./progress.ts');
  const { header, manifest } = await verifyBackupArchive(
    file === '-' ? standardInput : file,
    createProgressLine(),
  );
  console.log(
    `The archive of ${header.created} is intact: all ${manifest.entries} entries match their checksums.`,
  );
}
