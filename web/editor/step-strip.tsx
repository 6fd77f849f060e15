/** The list of edit steps: a click returns to the state after a step, and each step can be removed. */
import { RotateCcw, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { EditStep } from '../api/types.ts';
import { getLanguage, type MessageKey, t } from '../messages/messages.ts';
import styles from './step-strip.module.css';
import { fitCropsToPicture, type PixelSize } from './steps.ts';

interface Props {
  original: PixelSize;
  steps: EditStep[];
  set(steps: EditStep[]): void;
}

export const filterMessageKeys: Record<string, MessageKey> = {
  brightness: 'brightness',
  contrast: 'contrast',
  highlights: 'highlights',
  shadows: 'shadows',
  saturation: 'saturation',
  temperature: 'temperature',
  hue: 'hue',
  blur: 'blur',
  sharpen: 'sharpen',
  grayscale: 'grayscale',
  sepia: 'sepia',
  invert: 'invert',
};

export function EditStepStrip({ original, steps, set }: Props) {
  const strip = useRef<HTMLOListElement>(null);
  // Scroll to the last edit step.
  useEffect(() => {
    if (steps.length > 0) strip.current!.scrollLeft = strip.current!.scrollWidth;
  }, [steps.length]);
  return (
    <ol className={styles.strip} ref={strip} aria-label={t('editSteps')}>
      <li>
        <button
          type="button"
          aria-current={steps.length === 0 ? 'step' : undefined}
          title={t('revert')}
          onClick={() => set([])}
        >
          <RotateCcw size={14} aria-hidden="true" />
          {t('original')}
        </button>
      </li>
      {steps.map((step, index) => {
        const name = describeStep(step);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id, and each stands for its position
          <li key={index}>
            <button
              type="button"
              aria-current={index === steps.length - 1 ? 'step' : undefined}
              title={t('goBackTo', { name })}
              onClick={() => set(steps.slice(0, index + 1))}
            >
              {name}
            </button>
            <button
              type="button"
              className={styles.remove}
              aria-label={t('removeStep', { name })}
              onClick={() => set(fitCropsToPicture(original, steps.toSpliced(index, 1)))}
            >
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function describeStep(step: EditStep): string {
  switch (step.action) {
    case 'crop':
      return t('stepCrop', { width: step.params.width, height: step.params.height });
    case 'rotate':
      return t('stepRotate', { angle: step.params.angle });
    case 'straighten':
      return t('stepStraighten', { angle: step.params.angle.toLocaleString(getLanguage()) });
    case 'flip':
      return t(step.params.direction === 'h' ? 'flipHorizontally' : 'flipVertically');
    case 'resize':
      return t('stepResize', { side: step.params.width ?? step.params.height ?? 0 });
    default:
      return describeFilter(step.params);
  }
}

function describeFilter({ type, value }: { type: string; value?: number | undefined }): string {
  const name = filterMessageKeys[type] ? t(filterMessageKeys[type]) : type;
  if (value === undefined) return name;
  const isSigned = type !== 'blur' && type !== 'sharpen';
  const number = value.toLocaleString(getLanguage(), isSigned ? { signDisplay: 'exceptZero' } : {});
  return `${name} ${number}`;
}
