/** The controls above a picture: back, title, actions, previous and next. */
import { ChevronLeft, ChevronRight, Ellipsis, X } from 'lucide-react';
import { t } from '../messages/messages.ts';
import {
  type PhotoAction,
  type PhotoActionHandlers,
  type PhotoActionTarget,
  photoActions,
} from '../photos/actions.ts';
import { formatKey } from '../ui/keys.ts';
import { MenuButton, type MenuItem } from '../ui/menu.tsx';
import { VisibilityMark } from '../visibility/mark.tsx';
import type { ViewerStage } from './stage.ts';
import styles from './viewer-controls.module.css';

interface Props {
  stage: ViewerStage;
  index: number;
  total: number;
  target: PhotoActionTarget | undefined;
  handlers: PhotoActionHandlers;
  hasPanel: boolean;
  /** Zoom in percent; undefined while the whole picture is visible. */
  percent: number | undefined;
  /** Menu items for actions in the photo's album. */
  albumItems: MenuItem[];
}

export function ViewerControls(props: Props) {
  const { stage, index, total, target, handlers, hasPanel, percent, albumItems } = props;
  const actions = target ? photoActions.filter((action) => action.isFor(target)) : [];
  const rare = actions.filter(({ isFrequent }) => !isFrequent);
  const count = t('placeInList', { index: index + 1, total });
  return (
    <div className={styles.chrome} data-panel={hasPanel || undefined}>
      <div className={styles.bar}>
        <div className={styles.row}>
          <button
            className={styles.button}
            type="button"
            aria-label={t('close')}
            title={`${t('close')} (Esc)`}
            onClick={stage.close}
          >
            <X aria-hidden="true" />
          </button>
          <p className={styles.title} aria-live="polite">
            <span dir="auto">{target?.photo.title}</span>
            <span>
              {percent ? `${count} · ${t('percent', { percent })}` : count}
              {target && <VisibilityMark className={styles.mark} level={target.photo.effective_visibility} />}
            </span>
          </p>
          {target &&
            actions.map((action) => (
              <ActionButton
                key={action.name}
                action={action}
                target={target}
                handlers={handlers}
                isOn={action.name === 'info' ? hasPanel : (action.isOn?.(target) ?? false)}
              />
            ))}
          {target && rare.length + albumItems.length > 0 && (
            <MenuButton
              label={t('more')}
              className={`${styles.button} ${albumItems.length === 0 ? styles.more : ''}`}
              items={[
                ...rare.map((action) => ({
                  ...{ name: action.name, label: t(action.label), icon: action.icon },
                  ...{ keyText: formatKey(action.key), isDestructive: action.isDestructive ?? false },
                  perform: () => action.perform(target, handlers),
                })),
                ...albumItems,
              ]}
            >
              <Ellipsis aria-hidden="true" />
            </MenuButton>
          )}
        </div>
      </div>
      {index > 0 && (
        <button
          className={`${styles.button} ${styles.previous}`}
          type="button"
          aria-label={t('previous')}
          onClick={stage.previous}
        >
          <ChevronLeft aria-hidden="true" />
        </button>
      )}
      {index < total - 1 && (
        <button
          className={`${styles.button} ${styles.next}`}
          type="button"
          aria-label={t('next')}
          onClick={stage.next}
        >
          <ChevronRight aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

interface ActionProps {
  action: PhotoAction;
  target: PhotoActionTarget;
  handlers: PhotoActionHandlers;
  isOn: boolean;
}

function ActionButton({ action, target, handlers, isOn }: ActionProps) {
  const { icon: Icon, key, label, labelOn, name } = action;
  const text = t(isOn && labelOn ? labelOn : label);
  const isSwitch = action.isOn !== undefined || name === 'info';
  return (
    <button
      className={styles.button}
      type="button"
      aria-label={text}
      title={`${text} (${formatKey(key)})`}
      aria-pressed={isSwitch ? isOn : undefined}
      data-action={name}
      data-rare={!action.isFrequent || undefined}
      onClick={() => action.perform(target, handlers)}
    >
      <Icon aria-hidden="true" fill={isOn && name !== 'info' ? 'currentColor' : 'none'} />
    </button>
  );
}
