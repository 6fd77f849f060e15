/**
 * Watches for a change of account in another tab: all tabs share one session cookie. Data of the old account
 * must not stay visible, and no request may run as the new account, so the page reloads.
 */
const storageKey = 'lightwell-account';

interface AccountStorage {
  read(): string | undefined;
  write(id: string): void;
}

function createAccountWatch(storage: AccountStorage = localAccountStorage) {
  /**
   * Id of the account that this page belongs to; '' while nobody is signed in, when any account may sign in.
   */
  let own = '';
  const isReplaced = () => own !== '' && storage.read() !== undefined && storage.read() !== own;

  return {
    /**
     * Records the signed-in account. Returns true if this page shows data of another account, so that the page must
     * reload.
     */
    enter(id: number): boolean {
      storage.write(String(id));
      own ||= String(id);
      return isReplaced();
    },
    /**
     * Records the sign-out. The page still belongs to the old account, also in the browser's back/forward
     * cache.
     */
    leave(): void {
      storage.write('');
    },
    isReplaced,
    /** Runs before each request. The promise never resolves if the page reloads for another account. */
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
      // Without storage a tab cannot see the account of other tabs.
    }
  },
};

export const accountWatch = createAccountWatch();

/** Reloads on messages of other tabs, and on return from sleep or from the back/forward cache. */
export function reloadOnAccountChange(): void {
  const checkAccount = () => void accountWatch.check();
  window.addEventListener('storage', checkAccount);
  window.addEventListener('pageshow', ({ persisted }) => persisted && checkAccount());
  document.addEventListener('visibilitychange', checkAccount);
}
