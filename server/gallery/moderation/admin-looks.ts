/** Counts in the audit log how often an admin looks at photos that only the rights of an admin open. */
import type { Deps } from '../../deps.ts';
import type { Visibility } from '../../platform/db/states.ts';
import { recordAuditAttempt } from '../identity/attempts/recorder.ts';
import type { Viewer } from '../identity/viewer.ts';
import { canSee, withoutAdminRights } from '../library/permissions.ts';

/**
 * Counts a look of an admin at another user's private photo, in one row for each hour, admin and owner. Does nothing for
 * photos that the viewer would also see without the rights of an admin.
 */
export function recordAdminLook(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  photo: { user_id: number; visibility_now: Visibility },
): void {
  if (!viewer?.isAdmin || canSee(withoutAdminRights(viewer), photo)) return;
  recordAuditAttempt(deps, {
    ...{ action: 'private.view', outcome: 'succeeded', reason: '' },
    ...{ account: viewer.id, owner: photo.user_id, email: '', address: '' },
  });
}
