/**
 * Drops rights that a worker needs only for its start: root, reading the program's files, and loading native code.
 * `user` is the user id to switch to, or `-` to keep the user.
 */
export function dropPrivileges(user: string): void {
  if (user !== '-') {
    const id = Number(user);
    process.setgroups!([]);
    process.setgid!(id);
    process.setuid!(id);
  }
  process.permission?.drop('addon');
  process.permission?.drop('fs.read', process.env.PROGRAM_FOLDER);
}
