/** Errors in a server's log, with a stack or without: nothing that a client sends is an error of the server's. */
export function errorsIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /"level":(50|60)|unhandled|uncaught|^\s+at /i.test(line))
    .map((line) => line.slice(0, 400));
}
