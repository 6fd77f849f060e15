/** The session of the page: where it ends while one works, whoever shows the page asks to sign in again. */

/** Resolves with whether one did. */
type Ask = () => Promise<boolean>;

export function createSession() {
  let ask: Ask | undefined;
  let renewal: Promise<boolean> | undefined;

  return {
    /** Who asks, while somebody is signed in. Returns how to stop it. */
    onEnd(asking: Ask): () => void {
      ask = asking;
      return () => {
        if (ask === asking) ask = undefined;
      };
    },
    /** Many calls may find it ended: they wait for one answer. */
    renew(): Promise<boolean> {
      renewal ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
  };
}

export const session = createSession();
