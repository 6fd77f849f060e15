/** What keeps a server from starting and is the operator's to mend: told in one line, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const reasons: Record<string, string> = {
  EADDRINUSE: 'another program listens there already. Stop it, or choose another port with PORT',
  EACCES: 'this user may not open it. Choose a PORT above 1023',
  EADDRNOTAVAIL: 'this machine has no such address. Change HOST',
  ENOTFOUND: 'the name of that address is unknown. Change HOST',
};

/** An error of `listen` as a sentence; any other error as it is. */
export function listenError(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
  return reason
    ? new StartError(`Cannot listen on ${host} port ${port}: ${reason}.`, { cause: error })
    : error;
}
