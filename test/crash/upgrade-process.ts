/** Upgrades the SQLite gallery in the folder that it is given, and says when: to be killed by upgrade-kill.test.ts. */
import { openDatabase } from '../../server/platform/db/index.ts';

console.log('begins');
const database = await openDatabase({
  dataDir: process.argv[2]!,
  url: undefined,
  onError(error) {
    throw error;
  },
});
await database.close();
console.log('ends');
