/** The answer, unless it takes longer than so many milliseconds: then what `late` makes is thrown. */
export async function within<Answer>(
  ms: number,
  answer: Promise<Answer>,
  late: () => Error,
): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  // An answer that came while this process itself was busy is read before the verdict.
  const timer = setTimeout(() => setImmediate(() => reject(late())), ms);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
