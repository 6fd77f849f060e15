/** The buttons for actions on the shown photo, and a menu with the other actions. */
import { Ellipsis } from 'lucide-react';
import { getLanguage, t } from '../messages/messages.ts';
import {
  listPhotoActions,
  type PhotoAction,
  type PhotoActionHandlers,
  type PhotoActionTarget,
} from '../photos/actions.ts';
import { formatKey } from '../ui/keys.ts';
import { MenuButton, type MenuItem } from '../ui/menu.tsx';
import styles from './viewer-controls.module.css';

interface Props {
  target: PhotoActionTarget;
  handlers: PhotoActionHandlers;
  hasPanel: boolean;
  albumItems: MenuItem[];
  /** The row stands at the thumb of a phone. */
  isNarrow: boolean;
}

/** Names of the actions at the thumb of a phone, in their order. */
const thumbActions = ['share', 'favorite', 'like', 'comment', 'info', 'restore', 'purge'];

export function ActionRow({ target, handlers, hasPanel, albumItems, isNarrow }: Props) {
  const actions = listPhotoActions(target);
  const buttons = isNarrow
    ? thumbActions.flatMap((wanted) => actions.filter(({ name }) => name === wanted))
    : actions.filter(({ hasButton }) => hasButton);
  const others = actions.filter((action) => !buttons.includes(action) && action.isFor(target));
  const items = others.map(
    (action): MenuItem => ({
      ...{ name: action.name, label: t(chooseLabel(action, target)), icon: action.icon },
      ...(action.key && { keyText: formatKey(action.key) }),
      isDestructive: action.isDestructive ?? false,
      perform: () => action.perform(target, handlers),
    }),
  );
  const firstDestructive = items.findIndex(({ isDestructive }) => isDestructive);
  const at = firstDestructive < 0 ? items.length : firstDestructive;
  return (
    <>
      {buttons
        // Visitors never have some actions. Users see them switched off, so that the others stay in place.
        .filter((action) => target.user || action.isFor(target))
        .map((action) => (
          <ActionButton
            key={action.name}
            action={action}
            target={target}
            handlers={handlers}
            isOn={action.name === 'info' ? hasPanel : (action.isOn?.(target) ?? false)}
          />
        ))}
      {items.length + albumItems.length > 0 && (
        <MenuButton
          label={t('more')}
          className={styles.button!}
          items={items.toSpliced(at, 0, ...albumItems)}
        >
          <Ellipsis aria-hidden="true" />
        </MenuButton>
      )}
    </>
  );
}

function chooseLabel({ label, labelOn, isOn }: PhotoAction, target: PhotoActionTarget) {
  return labelOn && isOn?.(target) ? labelOn : label;
}

interface ActionProps {
  action: PhotoAction;
  target: PhotoActionTarget;
  handlers: PhotoActionHandlers;
  isOn: boolean;
}

function ActionButton({ action, target, handlers, isOn }: ActionProps) {
  const { icon: Icon, key, name } = action;
  const text = t(chooseLabel(action, target));
  const count = action.count?.(target) ?? 0;
  const isSwitch = action.isOn !== undefined || name === 'info';
  return (
    <button
      className={styles.button}
      type="button"
      aria-label={count > 0 ? t('actionWithCount', { action: text, count }) : text}
      title={key ? `${text} (${formatKey(key)})` : text}
      aria-pressed={isSwitch ? isOn : undefined}
      data-action={name}
      data-counts={action.count !== undefined || undefined}
      disabled={!action.isFor(target)}
      onClick={() => action.perform(target, handlers)}
    >
      <Icon aria-hidden="true" fill={isOn && name !== 'info' ? 'currentColor' : 'none'} />
      {count > 0 && <span aria-hidden="true">{formatCount(count)}</span>}
    </button>
  );
}

/** Returns a short number such as "1.2K". */
function formatCount(count: number): string {
  return count.toLocaleString(getLanguage(), { notation: 'compact' });
}
