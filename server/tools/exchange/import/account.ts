/** The profile and the avatar of an export, brought back to the account that they are of. */
import type { Deps } from '../../../deps.ts';
import { keepAvatar } from '../../../gallery/accounts/avatar.ts';
import { updateProfile } from '../../../gallery/accounts/store.ts';
import { getUser } from '../../../gallery/identity/users.ts';
import { createCheck } from '../../../platform/http/validation.ts';
import { AccountFile, accountFileName, avatarFileName } from '../account-schema.ts';
import { parseObject } from './sidecar.ts';
import type { Source } from './source.ts';

const checkAccountFile = createCheck(AccountFile);

/**
 * Only to an account of the same name: who imports what somebody else took along does not become them. What is filled
 * in here stays. Throws invalid for a file of ours that is not what the schema says, an ImageError for such an avatar.
 */
export async function importAccount(deps: Deps, userId: number, source: Source): Promise<void> {
  const bytes = await source.bytes([accountFileName]).catch(undefinedIfMissing);
  const value = bytes && parseObject(bytes);
  if (value?.schema !== 'lightwell-account') return;
  const told = checkAccountFile(value);
  const user = await getUser(deps, userId);
  if (told.username !== user.username) return;
  await updateProfile(deps, userId, {
    nickname: user.nickname || told.nickname,
    bio: user.bio || told.bio,
    gender: (user.gender || told.gender) as AccountFile['gender'],
    birthday: user.birthday || told.birthday,
    mobile: user.mobile || told.mobile,
  });
  if (user.avatar) return;
  const avatar = await source.open([avatarFileName], deps.config.maxUploadBytes).catch(undefinedIfMissing);
  try {
    if (avatar) await keepAvatar(deps, userId, avatar.path);
  } finally {
    await avatar?.close();
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
