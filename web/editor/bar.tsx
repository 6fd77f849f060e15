/** The editor's top bar: leave, undo, redo, compare with the original, save. */
import { Redo2, SquareSplitHorizontal, Undo2, X } from 'lucide-react';
import { t } from '../messages/messages.ts';
import styles from './editor.module.css';
import type { PixelSize } from './steps.ts';

interface Props {
  size: PixelSize;
  canUndo: boolean;
  canRedo: boolean;
  canSave: boolean;
  leave(): void;
  go(way: 'undo' | 'redo'): void;
  compare(isHeld: boolean): void;
  save(): void;
}

export function EditorBar({ size, canUndo, canRedo, canSave, leave, go, compare, save }: Props) {
  return (
    <div className={styles.bar}>
      <button
        className={styles.icon}
        type="button"
        aria-label={t('close')}
        title={t('close')}
        onClick={leave}
      >
        <X aria-hidden="true" />
      </button>
      <div className={styles.heading}>
        <h2>{t('editPhoto')}</h2>
        <p aria-live="polite">{t('sizeNow', { width: size.width, height: size.height })}</p>
      </div>
      <button
        className={styles.icon}
        type="button"
        aria-label={t('undo')}
        title={`${t('undo')} (Ctrl+Z)`}
        disabled={!canUndo}
        onClick={() => go('undo')}
      >
        <Undo2 aria-hidden="true" />
      </button>
      <button
        className={styles.icon}
        type="button"
        aria-label={t('redo')}
        title={`${t('redo')} (Ctrl+Shift+Z)`}
        disabled={!canRedo}
        onClick={() => go('redo')}
      >
        <Redo2 aria-hidden="true" />
      </button>
      <CompareButton set={compare} />
      <button className="button" type="button" aria-disabled={!canSave} onClick={save}>
        {t('saveEdits')}
      </button>
    </div>
  );
}

/** Shows the photo before the edits while the button is held. */
function CompareButton({ set }: { set(isHeld: boolean): void }) {
  const handleHold = (event: { key?: string; preventDefault(): void }) => {
    if (event.key !== undefined && event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    set(true);
  };
  return (
    <button
      className={styles.icon}
      type="button"
      aria-label={t('compare')}
      title={`${t('compare')} (B)`}
      onPointerDown={handleHold}
      onPointerUp={() => set(false)}
      onPointerLeave={() => set(false)}
      onPointerCancel={() => set(false)}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={handleHold}
      onKeyUp={() => set(false)}
      onBlur={() => set(false)}
    >
      <SquareSplitHorizontal aria-hidden="true" />
    </button>
  );
}
