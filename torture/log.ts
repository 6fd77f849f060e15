/**
 * Returns the errors in a server's log, up to `length` characters each. No client request may cause an error
 * in the log.
 */
export function errorsIn(output: string, length = 400): string[] {
  return output
    .split('\n')
    .filter((line) => /"level":(50|60)|unhandled|uncaught|^\s+at /i.test(line))
    .map((line) => line.slice(0, length));
}
