/** A new user sees a welcome above the photos of others, which only the script renders. */
export const isNewUser = ({ storage_used }: { storage_used: number }): boolean => storage_used === 0;
