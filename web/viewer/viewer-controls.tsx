/** The controls around a picture: back, title and actions at the top, actions of phones at the bottom. */
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { t } from '../messages/messages.ts';
import type { PhotoActionHandlers, PhotoActionTarget } from '../photos/actions.ts';
import { describeRetention } from '../photos/retention.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { narrowWindow, useMedia } from '../ui/use-media.ts';
import { VisibilityMark } from '../visibility/mark.tsx';
import { ActionRow } from './action-row.tsx';
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
  const isNarrow = useMedia(narrowWindow);
  const facts = [
    t('placeInList', { index: index + 1, total }),
    percent && t('percent', { percent }),
    target?.isCulling && t('culling'),
    target?.isTrash && describeRetention(target.photo),
  ].filter(Boolean);
  const actions = target && <ActionRow {...{ target, handlers, hasPanel, albumItems, isNarrow }} />;
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
              {facts.join(' · ')}
              {target && <VisibilityMark className={styles.mark} level={target.photo.effective_visibility} />}
            </span>
          </p>
          {!isNarrow && actions}
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
      {isNarrow && <div className={styles.thumb}>{actions}</div>}
    </div>
  );
}
