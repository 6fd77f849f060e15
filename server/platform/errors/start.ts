/** Error that prevents the start and that the operator can fix. Only its message is printed, without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const reasonByErrorCode: Record<string, string> = {
  EADDRINUSE: 'another program uses this port. Stop that program, or choose another port with PORT',
  EACCES: 'this user lacks the permission. Choose a PORT above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address. Change HOST',
  ENOTFOUND: 'the host name is unknown. Change HOST',
};

/** Returns an error of `listen` as a StartError with a clear sentence. Returns any other error unchanged. */
export function listenError(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const reason = reasonByErrorCode[(error as NodeJS.ErrnoException).code ?? ''];
  return reason
    ? new StartError(`Cannot listen on ${host} port ${port}: ${reason}.`, { cause: error })
    : error;
}
