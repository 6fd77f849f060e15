/**
 * Gives up what a worker needs to start, and not to work: the rights of root, reading the program's files, and loading
 * native code. `user`: the id of whom it becomes, `-` where it stays who it is.
 */
export function giveUpRights(user: string): void {
  if (user !== '-') {
    const id = Number(user);
    process.setgroups!([]);
    process.setgid!(id);
    process.setuid!(id);
  }
  process.permission?.drop('addon');
  process.permission?.drop('fs.read', process.env.PROGRAM_FOLDER);
}
