/** Returns the CPU milliseconds of this thread, which do not depend on the load of the machine. */
export function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
