/**
 * What small numbers in the rows mean. Nothing else writes them as numbers; migrations apart, which stay as they were.
 */

/**
 * Who may see a photo or an album. What is in the trash only its owner finds. What a disabled account holds is private,
 * a moment later: see gallery/library/follow.ts.
 */
export const Visibility = {
  trash: 0,
  /** Its owner and admins. */
  private: 1,
  /** Everybody. */
  public: 2,
} as const;
export type Visibility = (typeof Visibility)[keyof typeof Visibility];

/** What is not in the trash. An album never is. */
export type Shown = Exclude<Visibility, typeof Visibility.trash>;

export const UserStatus = {
  /** Hidden from every query while it is erased in the background: see gallery/admin/erase/erase.ts. */
  deleting: -1,
  /** Only admins see it and what it holds. */
  disabled: 0,
  enabled: 1,
} as const;
/** Of an account that stays. */
export type AccountStatus = Exclude<UserStatus, typeof UserStatus.deleting>;
export type UserStatus = (typeof UserStatus)[keyof typeof UserStatus];
