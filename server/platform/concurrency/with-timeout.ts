/** Returns the result of `answer`, or throws the error of `late` after `ms` milliseconds. */
export async function withTimeout<Answer>(
  ms: number,
  answer: Promise<Answer>,
  late: () => Error,
): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  // If the event loop was blocked, a result may already have arrived. `setImmediate` lets the event loop read that
  // result before the timeout counts.
  const timer = setTimeout(() => setImmediate(() => reject(late())), ms);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
