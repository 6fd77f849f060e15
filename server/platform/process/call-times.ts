/** Times the calls of a service such as the database, so that metrics can count durations and errors. */

/** Receives each finished call: its name, its duration in seconds, and its error, undefined after a success. */
export type CallListener = (name: string, seconds: number, error: unknown) => void;

export interface CallTimes {
  /** Runs the call, and reports the call to the listener. */
  time<Result>(name: string, call: () => Result | Promise<Result>): Promise<Result>;
  /** Sets the only listener. Calls that ended before are not reported. */
  listen(listener: CallListener): void;
}

export function createCallTimes(): CallTimes {
  let report: CallListener = () => {};
  return {
    async time(name, call) {
      const start = performance.now();
      let failure: unknown;
      try {
        return await call();
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        report(name, (performance.now() - start) / 1000, failure);
      }
    },
    listen(listener) {
      report = listener;
    },
  };
}
