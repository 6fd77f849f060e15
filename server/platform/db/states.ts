/**
 * Names for small numbers in the rows. Other code does not write these numbers, except migrations, which never change.
 */

/**
 * Visibility of a photo or an album. Photos in the trash are visible to their owner only. Content of a disabled account
 * becomes private with a short delay (`gallery/library/follow.ts`).
 */
export const Visibility = {
  trash: 0,
  /** A private photo or album is visible to its owner and admins. */
  private: 1,
  /** A public photo or album is visible to everyone. */
  public: 2,
  /** A photo or album for members is visible to every signed-in user. */
  members: 3,
} as const;
export type Visibility = (typeof Visibility)[keyof typeof Visibility];

/** Visibility outside the trash. Albums are never in the trash. */
export type VisibilityOutsideTrash = Exclude<Visibility, typeof Visibility.trash>;

/** Level that the owner of a photo or an album chose. The levels of the albums above can narrow it. */
export const Level = { private: 0, public: 1, members: 2 } as const;
export type Level = (typeof Level)[keyof typeof Level];
export type LevelName = keyof typeof Level;

export const UserStatus = {
  /** The account is hidden from every query while a background job erases it (`gallery/admin/erase/erase.ts`). */
  deleting: -1,
  /** A disabled account and its content are visible to admins only. */
  disabled: 0,
  enabled: 1,
} as const;
/** Status of an account that is not being deleted. */
export type AccountStatus = Exclude<UserStatus, typeof UserStatus.deleting>;
export type UserStatus = (typeof UserStatus)[keyof typeof UserStatus];
