/** Imports the profile and the avatar from an export. */
import type { Deps } from '../../../deps.ts';
import { saveAvatar } from '../../../gallery/accounts/avatar.ts';
import { updateProfile } from '../../../gallery/accounts/store.ts';
import { getUser } from '../../../gallery/identity/users.ts';
import { createSchemaCheck } from '../../../platform/http/validation.ts';
import { AccountJson } from '../account-schema.ts';
import type { ImportPlan } from '../plan/plan.ts';
import { parseJsonObject } from '../plan/takeout-json.ts';
import type { ImportSources } from './source.ts';

const checkAccountFile = createSchemaCheck(AccountJson);

/**
 * Imports the profile if the export has the same username, so that importing another person's export does not change
 * the profile. Existing values stay. Throws invalid if `account.json` does not match the schema, and ImageError for a
 * bad avatar.
 */
export async function importAccount(
  deps: Deps,
  userId: number,
  plan: ImportPlan,
  sources: ImportSources,
): Promise<void> {
  const value = plan.account && parseJsonObject(await sources.read(plan.account));
  if (value?.schema !== 'lightwell-account') return;
  const told = checkAccountFile(value);
  const user = await getUser(deps, userId);
  if (told.username !== user.username) return;
  await updateProfile(deps, userId, {
    nickname: user.nickname || told.nickname,
    bio: user.bio || told.bio,
    gender: (user.gender || told.gender) as AccountJson['gender'],
    birthday: user.birthday || told.birthday,
    mobile: user.mobile || told.mobile,
  });
  if (user.avatar || !plan.avatar) return;
  const avatar = await sources.open(plan.avatar, deps.config.maxUploadBytes);
  try {
    await saveAvatar(deps, userId, avatar.path);
  } finally {
    await avatar.close();
  }
}
