/** The command `lightwell adopt` connects the configured database to a storage that already contains photos. */
import { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { describeDatabase, hasSqlite } from '../../platform/db/database-location.ts';
import type { OpenedDatabase } from '../../platform/db/dialect.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { openStorage } from '../../platform/storage/open.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { adoptStorage, type StorageSurvey, surveyStorage } from '../maintenance/adopt.ts';
import { selectStorageOptions } from '../transfer/gallery-location.ts';

export function adoptCommand(): Command {
  return new Command('adopt')
    .description('connect the database to a storage that already holds photos and was never used with it')
    .option('--yes', 'adopt the storage; without this option, only print what would happen')
    .action(({ yes }: { yes?: boolean }) => runAdopt(yes === true));
}

async function runAdopt(isMeant: boolean): Promise<void> {
  const config = readConfig();
  const { dataDir, databaseUrl: url, databaseLimits } = config;
  const storage = await openStorage({ ...selectStorageOptions(config), isReadOnly: true });
  const place = describeDatabase({ dataDir, url });
  let survey: StorageSurvey | undefined;
  const surveyAndPrint = async (db: OpenedDatabase | undefined) => {
    survey = await surveyStorage(db, storage);
    printSurvey(place, storage, survey);
    if (survey.claim === storage.id) throw new OpeningEnded(0);
    if (isMeant) return;
    console.log('Nothing was changed. To adopt the storage, run: lightwell adopt --yes');
    throw new OpeningEnded(1);
  };
  try {
    if (!url && !hasSqlite(dataDir)) await surveyAndPrint(undefined);
    const limits = { ...databaseLimits, statementTimeoutMs: 0 };
    const beforeMigrating = survey ? undefined : surveyAndPrint;
    const db = await openDatabase({ dataDir, url, limits, onError: () => {}, beforeMigrating });
    try {
      await adoptStorage(db, storage, survey!, systemClock);
    } finally {
      await db.close();
    }
    console.log(
      'Storage adopted. Start the server. To see the objects without a row, run: lightwell orphans',
    );
  } catch (error) {
    if (!(error instanceof OpeningEnded)) throw error;
    process.exitCode = error.exitCode;
  }
}

/** Thrown to stop opening the database before the schema is created or changed. */
class OpeningEnded extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('done');
    this.exitCode = exitCode;
  }
}

function printSurvey(
  place: string,
  storage: Storage,
  { claim, objects, withoutRow, images, imagesFound }: StorageSurvey,
) {
  console.log(`database: ${place}\nstorage:  ${storage.location}`);
  if (claim === storage.id)
    return console.log('The database and the storage already belong together. Nothing to adopt.');
  if (claim)
    console.log(
      'The database currently belongs to another storage. Adopting this storage replaces the other one.',
    );
  console.log(
    `The storage holds ${objects} objects, of which ${withoutRow} have no row in this database. ` +
      `The database has ${images} images, of which ${imagesFound} are in this storage.`,
  );
  console.log(
    'Photos without a row are visible to nobody. If you can restore the database that has these ' +
      'rows, do that instead.\nAfter an adoption, nothing is deleted from the storage, not even ' +
      'what users delete. To allow deletions again, run: lightwell orphans',
  );
}
