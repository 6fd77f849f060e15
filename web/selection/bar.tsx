/**
 * The bar of a selection, above the page's bar: number of photos, actions, and a button that ends the
 * selection.
 */
import { Ellipsis, ListChecks, X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import {
  type BulkAction,
  type BulkActionHandlers,
  type BulkActionTarget,
  bulkActions,
} from '../photos/bulk-actions.ts';
import type { PhotoPicker } from '../photos/wall/selection-state.ts';
import { formatKey } from '../ui/keys.ts';
import { MenuButton } from '../ui/menu.tsx';
import styles from './bar.module.css';

interface Props {
  target: BulkActionTarget;
  handlers: BulkActionHandlers;
  /** Text about the running change of the selected photos. */
  busy: string | undefined;
  /** Selects all photos of the list; undefined if all are selected. */
  selectAll: (() => void) | undefined;
  end(): void;
}

export function SelectionBar({ target, handlers, busy, selectAll, end }: Props) {
  const actions = bulkActions.filter((action) => action.isFor(target));
  const rare = actions.filter(({ isFrequent }) => !isFrequent);
  return (
    <BarFrame
      isBusy={busy !== undefined}
      text={busy ?? t('selected', { count: target.photos.length })}
      end={end}
    >
      <div className={styles.actions} role="toolbar" aria-label={t('selectionActions')}>
        {actions.map((action) => (
          <ActionButton key={action.name} action={action} perform={() => action.perform(target, handlers)} />
        ))}
      </div>
      {(rare.length > 0 || selectAll) && (
        <MenuButton
          label={t('more')}
          className={`${styles.button} ${styles.more}`}
          items={[
            ...(selectAll
              ? [{ name: 'all', label: t('selectAll'), icon: ListChecks, perform: selectAll }]
              : []),
            ...rare.map((action) => ({
              name: action.name,
              label: t(action.label),
              icon: action.icon,
              keyText: formatKey(action.key),
              perform: () => action.perform(target, handlers),
            })),
          ]}
        >
          <Ellipsis size={20} aria-hidden="true" />
        </MenuButton>
      )}
    </BarFrame>
  );
}

interface PickerBarProps {
  picker: PhotoPicker;
  photos: PhotoItem[];
  isBusy: boolean;
  end(): void;
}

/** The bar of a wall that only selects photos: one button instead of the actions. */
export function PhotoPickerBar({ picker, photos, isBusy, end }: PickerBarProps) {
  const count = photos.length;
  return (
    <BarFrame isBusy={isBusy} text={t('selected', { count })} end={end}>
      <button
        className="button"
        type="button"
        aria-busy={isBusy}
        onClick={() => !isBusy && picker.perform(photos)}
      >
        {picker.getLabel(count)}
      </button>
    </BarFrame>
  );
}

interface FrameProps {
  isBusy: boolean;
  text: string;
  end(): void;
  children: ReactNode;
}

function BarFrame({ isBusy, text, end, children }: FrameProps) {
  useEffect(coverPageBar, []);
  return (
    <section className={styles.bar} aria-label={t('selection')} aria-busy={isBusy}>
      <button
        className={styles.button}
        type="button"
        aria-label={t('selectionClear')}
        title={`${t('selectionClear')} (Esc)`}
        onClick={end}
      >
        <X size={20} aria-hidden="true" />
      </button>
      <p className={styles.count} role="status">
        {text}
      </p>
      {children}
    </section>
  );
}

/** Makes the page's bar below inert, so that its elements get no focus. */
function coverPageBar(): () => void {
  const bar = document.querySelector<HTMLElement>('header.bar');
  bar?.toggleAttribute('inert', true);
  return () => bar?.toggleAttribute('inert', false);
}

function ActionButton({ action, perform }: { action: BulkAction; perform(): void }) {
  const { name, label, icon: Icon, key, isFrequent, isDestructive } = action;
  return (
    <button
      className={styles.button}
      type="button"
      aria-label={t(label)}
      title={`${t(label)} (${formatKey(key)})`}
      data-action={name}
      data-rare={!isFrequent || undefined}
      data-alarm={isDestructive || undefined}
      onClick={perform}
    >
      <Icon size={20} aria-hidden="true" />
      <span aria-hidden="true">{t(label)}</span>
    </button>
  );
}
