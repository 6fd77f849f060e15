/**
 * The button of the account, and its menu, whose content is loaded when one turns to it. The browser's own popover: focus,
 * Esc and a click beside it are its.
 */
import type { CurrentUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { closeWhenLeft } from '../ui/popover.ts';
import { useLazyModule } from '../ui/use-loaded.ts';
import styles from './account-menu.module.css';
import { Avatar } from './avatar.tsx';

const load = () => import('./account-rows.tsx');

interface Props {
  user: CurrentUser;
  /** Opens the list of keys. */
  showKeys(): void;
}

export function AccountMenu({ user, showKeys }: Props) {
  const [content, begin] = useLazyModule(load);
  return (
    <>
      <button
        className={styles.me}
        type="button"
        popoverTarget="account"
        aria-label={t('account')}
        onPointerEnter={begin}
        onFocus={begin}
        onClick={begin}
      >
        <Avatar user={user} />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only closes when the focus leaves it */}
      <div className={styles.menu} id="account" popover="auto" onBlur={closeWhenLeft}>
        {content && <content.AccountRows user={user} showKeys={showKeys} />}
      </div>
    </>
  );
}
