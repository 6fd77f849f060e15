/**
 * One browser, one cookie: where another tab signs out, or in as somebody else, this one is signed out or somebody else,
 * too. What was loaded for one account is not shown on, and nothing is done in the name of another: the page loads anew.
 */
const storageKey = 'lightwell-account';

interface AccountStorage {
  read(): string | undefined;
  write(id: string): void;
}

function createAccountWatch(storage: AccountStorage = localAccountStorage) {
  /** Whose page this is; '': nobody's, so that anybody may sign in. */
  let own = '';
  const isReplaced = () => own !== '' && storage.read() !== undefined && storage.read() !== own;

  return {
    /** Of who is signed in. Returns whether the page is that of somebody else: then it is to be left. */
    enter(id: number): boolean {
      storage.write(String(id));
      own ||= String(id);
      return isReplaced();
    },
    /** The page stays that of who left, also where the browser keeps it for Back. */
    leave(): void {
      storage.write('');
    },
    isReplaced,
    /** Before each request: never resolves where the page is over. */
    check(): Promise<void> {
      return isReplaced() ? new Promise(() => location.reload()) : Promise.resolve();
    },
  };
}

const localAccountStorage: AccountStorage = {
  read() {
    try {
      return localStorage.getItem(storageKey) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(id) {
    try {
      localStorage.setItem(storageKey, id);
    } catch {
      // Without storage each tab is by itself.
    }
  },
};

export const accountWatch = createAccountWatch();

/** Told by other tabs at once; one that was asleep, or kept for Back, looks when it comes back. */
export function reloadOnAccountChange(): void {
  const checkAccount = () => void accountWatch.check();
  window.addEventListener('storage', checkAccount);
  window.addEventListener('pageshow', ({ persisted }) => persisted && checkAccount());
  document.addEventListener('visibilitychange', checkAccount);
}
