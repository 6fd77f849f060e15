/** Upgrades the SQLite gallery in the given folder, as a process of its own that upgrade-kill.test.ts kills. */
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
