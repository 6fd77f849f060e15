/**
 * The slideshow: shows photo after photo in full screen, and ends after the last photo. A touch or a key pauses
 * the slideshow. The script is loaded on first use.
 */
import { Pause, Play, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../messages/messages.ts';
import { readKey } from '../ui/keys.ts';
import { fillScreen } from './full-screen.ts';
import styles from './slideshow.module.css';
import type { ViewerStage } from './stage.ts';
import { useWakeLock } from './use-wake-lock.ts';

interface Props {
  stage: ViewerStage;
  index: number;
  total: number;
  onEnd(): void;
}

/** Seconds that the slideshow can show each photo. */
const speeds = [3, 5, 10];
/** Milliseconds between two looks at a photo that is still being loaded. */
const loadingDelayMs = 250;

export function Slideshow({ stage, index, total, onEnd }: Props) {
  const [isPaused, setPaused] = useState(false);
  const [seconds, setSeconds] = useState(5);
  useAdvance({ stage, index, total, onEnd, seconds, isPaused });
  useWakeLock(!isPaused);
  useFullScreen(stage, onEnd);
  usePauseByKey(setPaused, onEnd);
  return (
    <div className={styles.slideshow} data-paused={isPaused || undefined}>
      {!isPaused && <div className={styles.cover} onPointerDown={() => setPaused(true)} />}
      <div className={styles.bar} role="toolbar" aria-label={t('slideshow')}>
        <button
          type="button"
          aria-label={t(isPaused ? 'slideshowResume' : 'slideshowPause')}
          title={`${t(isPaused ? 'slideshowResume' : 'slideshowPause')} (P)`}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? <Play size={20} aria-hidden="true" /> : <Pause size={20} aria-hidden="true" />}
        </button>
        {speeds.map((speed) => (
          <button
            key={speed}
            type="button"
            aria-pressed={speed === seconds}
            onClick={() => setSeconds(speed)}
          >
            {t('seconds', { count: speed })}
          </button>
        ))}
        <button
          type="button"
          aria-label={t('slideshowEnd')}
          title={`${t('slideshowEnd')} (Esc)`}
          onClick={onEnd}
        >
          <X size={20} aria-hidden="true" />
        </button>
      </div>
    </div>
  );
}

/** Shows the next photo when the time of the shown photo is over and its picture is loaded. */
function useAdvance(show: Props & { seconds: number; isPaused: boolean }): void {
  const { stage, index, total, onEnd, seconds, isPaused } = show;
  useEffect(() => {
    if (isPaused) return;
    let timer = window.setTimeout(advance, seconds * 1000);
    function advance(): void {
      if (stage.isLoading()) timer = window.setTimeout(advance, loadingDelayMs);
      else if (index < total - 1) stage.next();
      else onEnd();
    }
    return () => clearTimeout(timer);
  }, [stage, index, total, onEnd, seconds, isPaused]);
}

/** Fills the screen while the slideshow lasts. Leaving full screen ends the slideshow. */
function useFullScreen(stage: ViewerStage, onEnd: () => void): void {
  useEffect(() => {
    const handleChange = () => document.fullscreenElement === null && onEnd();
    void fillScreen(true);
    stage.element.dataset.slideshow = '';
    document.addEventListener('fullscreenchange', handleChange);
    return () => {
      document.removeEventListener('fullscreenchange', handleChange);
      delete stage.element.dataset.slideshow;
      void fillScreen(false);
    };
  }, [stage, onEnd]);
}

/** Arrow keys pause and turn to another photo. Other shortcuts of the viewer wait until the slideshow has ended. */
function usePauseByKey(setPaused: (change: (isPaused: boolean) => boolean) => void, onEnd: () => void): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      const key = readKey(event);
      if (!key.startsWith('arrow')) event.stopPropagation();
      if (key === 'escape') onEnd();
      else setPaused((isPaused) => (key === 'p' ? !isPaused : true));
    };
    window.addEventListener('keydown', handleKeyDown, true);
    return () => window.removeEventListener('keydown', handleKeyDown, true);
  }, [setPaused, onEnd]);
}
