/** The command `lightwell adopt` connects the configured database to a storage that already contains photos. */
import { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { describeDatabase, hasSqlite } from '../../platform/db/database-location.ts';
import type { OpenedDatabase } from '../../platform/db/dialect.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { openStorage } from '../../platform/storage/open.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { adoptStorage, type Survey, surveyStorage } from '../maintenance/adopt.ts';
import { storageOptionsOf } from '../transfer/gallery-location.ts';

export function adoptCommand(): Command {
  return new Command('adopt')
    .description('use a database with a storage that holds photos which it has never been used with')
    .option('--yes', 'adopt it; without this, only what would happen is said')
    .action(({ yes }: { yes?: boolean }) => run(yes === true));
}

async function run(isMeant: boolean): Promise<void> {
  const config = readConfig();
  const { dataDir, databaseUrl: url, databaseLimits } = config;
  const storage = await openStorage({ ...storageOptionsOf(config), isReadOnly: true });
  const place = describeDatabase({ dataDir, url });
  let survey: Survey | undefined;
  const surveyAndPrint = async (db: OpenedDatabase | undefined) => {
    survey = await surveyStorage(db, storage);
    printSurvey(place, storage, survey);
    if (survey.claim === storage.id) throw new OpeningEnded(0);
    if (isMeant) return;
    console.log('Nothing was changed. To adopt the storage: lightwell adopt --yes');
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
    console.log('Adopted. Start the server; look at what has no row with: lightwell orphans');
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
  { claim, objects, withoutRow, images, imagesFound }: Survey,
) {
  console.log(`database: ${place}\nstorage:  ${storage.location}`);
  if (claim === storage.id) return console.log('The two belong together already: there is nothing to adopt.');
  if (claim) console.log('The database belongs to another storage so far; it would leave that one.');
  console.log(
    `The storage holds ${objects} objects, ${withoutRow} of which have no row in this database. ` +
      `The database knows ${images} images, ${imagesFound} of which are here.`,
  );
  console.log(
    'No user sees a photo without a row. If the database that knows them can be brought back, do that instead.\n' +
      'After an adoption nothing is removed from the storage, also nothing that users delete, until you have looked ' +
      'and said so with: lightwell orphans',
  );
}
