/**
 * The session of the page. When the session expires, the page asks the user to sign in again (web/session).
 */

/** Asks the user to sign in again. Resolves to true when a session exists again, and to false if the user cancels. */
type AskToSignIn = () => Promise<boolean>;

function createSessionRenewal(channel = new BroadcastChannel('lightwell-session')) {
  let ask: AskToSignIn | undefined;
  let renewal: Promise<boolean> | undefined;

  return {
    /** Sets the function that asks the user to sign in. Returns a function that removes it again. */
    onEnd(asking: AskToSignIn): () => void {
      ask = asking;
      return () => {
        if (ask === asking) ask = undefined;
      };
    },
    /** Asks once for all calls that find the session expired at the same time. */
    renew(): Promise<boolean> {
      // Without a connection the dialog's script may not load; the calls then fail with their first error.
      renewal ??= (ask?.() ?? Promise.resolve(false))
        .catch(() => false)
        .finally(() => {
          renewal = undefined;
        });
      return renewal;
    },
    /** Tells the other tabs which account the shared cookie belongs to now. */
    announceSignIn(user: number): void {
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
