/**
 * Yields the files about one account in its export: the account's data, the avatar, and lists such as favorites. The
 * files are streams, because the lists can be very long.
 */
import { Readable } from 'node:stream';
import type { Deps } from '../../../deps.ts';
import { getUser } from '../../../gallery/identity/users.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import type { ZipEntry } from '../../../platform/zip/zip.ts';
import {
  type AccountJson,
  accountFileName,
  accountListFileNames,
  avatarFileName,
} from '../account-schema.ts';
import { exportVersion, formatExportTime } from '../schema.ts';
import { presentAccountLists } from './account-lists.ts';
import { jsonText } from './describe.ts';

export async function* yieldAccountEntries(deps: Deps, userId: number): AsyncGenerator<ZipEntry> {
  const user = await getUser(deps, userId);
  const modified = new Date(deps.clock() * 1000);
  yield {
    path: accountFileName,
    modified,
    bytes: Readable.from([Buffer.from(jsonText(describeAccount(user)))]),
  };
  const avatar = user.avatar && (await deps.storage.open(user.avatar));
  if (avatar) yield { path: avatarFileName, modified, bytes: avatar };
  for (const [name, pages] of presentAccountLists(deps, userId)) {
    yield { path: accountListFileNames[name], modified, bytes: Readable.from(listText(name, pages)) };
  }
}

function describeAccount(user: UserRow): AccountJson {
  return {
    schema: 'lightwell-account',
    version: exportVersion,
    username: user.username,
    email: user.email,
    nickname: user.nickname,
    bio: user.bio,
    gender: user.gender as 0 | 1 | 2,
    birthday: user.birthday,
    mobile: user.mobile,
    is_admin: user.is_admin as 0 | 1,
    create_time: formatExportTime(user.create_time),
  };
}

/** Yields a JSON object whose `list` has one item per line. */
async function* listText(name: string, pages: AsyncIterable<object[]>): AsyncGenerator<Buffer> {
  const head = JSON.stringify({ schema: `lightwell-${name}`, version: exportVersion });
  yield Buffer.from(`${head.slice(0, -1)},"list":[`);
  let separator = '\n';
  for await (const items of pages) {
    yield Buffer.from(separator + items.map((item) => JSON.stringify(item)).join(',\n'));
    separator = ',\n';
  }
  yield Buffer.from('\n]}\n');
}
