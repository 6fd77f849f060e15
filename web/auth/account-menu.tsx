/**
 * The account button and its menu. The menu's content is loaded when the button gets the pointer or the
 * focus. The browser's popover handles focus, Esc and clicks outside.
 */
import type { CurrentUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { closeWhenLeft } from '../ui/popover.ts';
import { useLazyModule } from '../ui/use-loaded.ts';
import styles from './account-menu.module.css';
import { Avatar } from './avatar.tsx';

const loadAccountRows = () => import('./account-rows.tsx');

interface Props {
  user: CurrentUser;
  /** Opens the list of keyboard shortcuts. */
  showKeys(): void;
}

export function AccountMenu({ user, showKeys }: Props) {
  const [content, begin] = useLazyModule(loadAccountRows);
  const { open_reports } = user;
  return (
    <>
      <button
        className={styles.me}
        type="button"
        popoverTarget="account"
        aria-label={open_reports > 0 ? t('accountReports', { count: open_reports }) : t('account')}
        data-marked={open_reports > 0 || undefined}
        onPointerEnter={begin}
        onFocus={begin}
        onClick={begin}
      >
        <Avatar user={user} />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the element only closes when the focus leaves */}
      <div className={styles.menu} id="account" popover="auto" onBlur={closeWhenLeft}>
        {content && <content.AccountMenuRows user={user} showKeys={showKeys} />}
      </div>
    </>
  );
}
