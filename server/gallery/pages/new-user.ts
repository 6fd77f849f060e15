/** Decides who sees a welcome above the photos of others. Only the script renders the welcome. */
interface Account {
  /** Time of the registration in UTC, `YYYY-MM-DD HH:MM:SS`. */
  create_time: string;
  storage_used: number;
}

const welcomeMs = 7 * 24 * 3600 * 1000;

/** Returns whether the account has no photos and is younger than a week. Later, its owner only looks at photos. */
export function isNewUser({ create_time, storage_used }: Account): boolean {
  return storage_used === 0 && Date.now() - Date.parse(`${create_time.replace(' ', 'T')}Z`) < welcomeMs;
}
