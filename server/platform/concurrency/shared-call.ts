/** Shares one running call among concurrent callers that need the same result. */

/** Wraps `work` so that a call during a run returns the result of that run. */
export function shareRunningCall<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
