/** The session of the page: where it ends while one works, the page asks to sign in again (web/session). */

/** Resolves with whether one did. */
type AskToSignIn = () => Promise<boolean>;

function createSessionRenewal(channel = new BroadcastChannel('lightwell-session')) {
  let ask: AskToSignIn | undefined;
  let renewal: Promise<boolean> | undefined;

  return {
    /** Who asks, while somebody is signed in. Returns how to stop it. */
    onEnd(asking: AskToSignIn): () => void {
      ask = asking;
      return () => {
        if (ask === asking) ask = undefined;
      };
    },
    /** Many calls may find it ended: they wait for one answer. */
    renew(): Promise<boolean> {
      // The dialog may not come, without a connection: then the calls fail as they did.
      renewal ??= (ask?.() ?? Promise.resolve(false))
        .catch(() => false)
        .finally(() => {
          renewal = undefined;
        });
      return renewal;
    },
    /** All tabs have the same cookie: the others hear whose it is now. */
    tellSignIn(user: number): void {
      channel.postMessage(user);
    },
    onSignIn(listener: (user: number) => void): () => void {
      const handleMessage = ({ data }: MessageEvent<number>) => listener(data);
      channel.addEventListener('message', handleMessage);
      return () => channel.removeEventListener('message', handleMessage);
    },
  };
}

export const sessionRenewal = createSessionRenewal();
