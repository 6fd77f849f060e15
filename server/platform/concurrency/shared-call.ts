/** For what costs the same however many ask. */

/** Callers that come while it runs get the result of the call under way. */
export function sharedCall<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
