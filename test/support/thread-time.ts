/** Milliseconds of processor time that this thread has taken: they say the same on a machine that is busy elsewhere. */
export function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
