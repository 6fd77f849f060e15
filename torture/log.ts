/**
 * Errors in a server's log, with a stack or without, as many characters of each: nothing that a client sends is an error
 * of the server's.
 */
export function errorsIn(output: string, length = 400): string[] {
  return output
    .split('\n')
    .filter((line) => /"level":(50|60)|unhandled|uncaught|^\s+at /i.test(line))
    .map((line) => line.slice(0, length));
}
