/**
 * One browser, one cookie: where another tab signs out, or in as somebody else, this one is signed out or somebody else,
 * too. What was loaded for one account is not shown on, and nothing is done in the name of another: the page loads anew.
 */
const key = 'lightwell-account';

interface Place {
  read(): string | undefined;
  write(id: string): void;
}

function createAccount(place: Place = storage) {
  /** Whose page this is; '': nobody's, so that anybody may sign in. */
  let own = '';
  const isOver = () => own !== '' && place.read() !== undefined && place.read() !== own;

  return {
    /** Of who is signed in. Returns whether the page is that of somebody else: then it is to be left. */
    enter(id: number): boolean {
      place.write(String(id));
      own ||= String(id);
      return isOver();
    },
    /** The page stays that of who left, also where the browser keeps it for Back. */
    leave(): void {
      place.write('');
    },
    isOver,
    /** Before each request: never resolves where the page is over. */
    check(): Promise<void> {
      return isOver() ? new Promise(() => location.reload()) : Promise.resolve();
    },
  };
}

const storage: Place = {
  read() {
    try {
      return localStorage.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(id) {
    try {
      localStorage.setItem(key, id);
    } catch {
      // Without storage each tab is by itself.
    }
  },
};

export const account = createAccount();

/** Told by other tabs at once; one that was asleep, or kept for Back, looks when it comes back. */
export function reloadForOtherAccounts(): void {
  const look = () => void account.check();
  window.addEventListener('storage', look);
  window.addEventListener('pageshow', ({ persisted }) => persisted && look());
  document.addEventListener('visibilitychange', look);
}
