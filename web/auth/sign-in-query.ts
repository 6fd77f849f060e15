/** Reads the query of sign-in pages: the return path and an error. */

/** Keeps the return path of the query; safe-path.ts decides which paths are allowed. */
export const readReturnPath = ({ to }: { to?: string }): { to?: string } => (to === undefined ? {} : { to });
/** Keeps the return path and the error of an OpenID sign-in. */
export const readReturnAndProblem = ({ to, problem }: { to?: string; problem?: string }) => ({
  ...readReturnPath({ ...(to !== undefined && { to }) }),
  ...(problem !== undefined && { problem }),
});
export const readSignInProblem = ({ problem }: { problem?: string }): { problem?: string } =>
  problem === undefined ? {} : { problem };
