/** The editor's tools: crop, rotate, resize and color, one shown at a time. */
import { FlipHorizontal2, FlipVertical2, RotateCcwSquare, RotateCwSquare } from 'lucide-react';
import { type CSSProperties, useEffect, useState } from 'react';
import type { EditStep } from '../api/types.ts';
import { getLanguage, t } from '../messages/messages.ts';
import { filterMessageKeys } from './step-strip.tsx';
import {
  addFlipStep,
  addResizeStep,
  addTurnStep,
  computeSizeAfterSteps,
  getFilterValue,
  getStraightenAngle,
  type PixelSize,
  setFilterStep,
  setStraightenStep,
} from './steps.ts';
import styles from './tools.module.css';
import { type CropRatio, cropRatios, type useCropArea } from './use-crop.ts';

interface Props {
  original: PixelSize;
  steps: EditStep[];
  /** Sets the edit steps. Changes with the same `held` name become one undo step. */
  set(steps: EditStep[], held?: string): void;
}

const iconSize = 20;

export function CropTool({ crop, apply }: { crop: ReturnType<typeof useCropArea>; apply(): void }) {
  return (
    <>
      <fieldset className={styles.choices}>
        <legend>{t('aspectRatio')}</legend>
        {(Object.keys(cropRatios) as CropRatio[]).map((ratio) => (
          <button
            key={ratio}
            type="button"
            aria-pressed={crop.ratio === ratio}
            onClick={() => crop.choose(ratio)}
          >
            {ratio === 'free' ? t('ratioFree') : ratio === 'original' ? t('original') : ratio}
          </button>
        ))}
      </fieldset>
      <p className={styles.acts}>
        <button className="button" type="button" onClick={apply} aria-disabled={!crop.step()}>
          {t('cropApply')}
        </button>
        <button className="button quiet" type="button" onClick={crop.reset}>
          {t('cropReset')}
        </button>
      </p>
      <p className={styles.hint}>{t('cropHint')}</p>
    </>
  );
}

export function RotateTool({ steps, set }: Props) {
  return (
    <>
      <TurnButtons steps={steps} set={set} />
      <Slider
        name={t('straighten')}
        range={straightenRange}
        value={getStraightenAngle(steps)}
        change={(angle) => set(setStraightenStep(steps, angle), 'straighten')}
      />
    </>
  );
}

function TurnButtons({ steps, set }: Pick<Props, 'steps' | 'set'>) {
  return (
    <div className={styles.turns}>
      <button type="button" onClick={() => set(addTurnStep(steps, 270))}>
        <RotateCcwSquare size={iconSize} aria-hidden="true" />
        {t('rotateLeft')}
      </button>
      <button type="button" onClick={() => set(addTurnStep(steps, 90))}>
        <RotateCwSquare size={iconSize} aria-hidden="true" />
        {t('rotateRight')}
      </button>
      <button type="button" onClick={() => set(addFlipStep(steps, 'h'))}>
        <FlipVertical2 size={iconSize} aria-hidden="true" />
        {t('flipHorizontally')}
      </button>
      <button type="button" onClick={() => set(addFlipStep(steps, 'v'))}>
        <FlipHorizontal2 size={iconSize} aria-hidden="true" />
        {t('flipVertically')}
      </button>
    </div>
  );
}

/** Largest width and height in the API, in pixels. */
const maxSide = 16_383;

export function ResizeTool({ original, steps, set }: Props) {
  const size = computeSizeAfterSteps(original, steps);
  const changeSize = (params: { width: number } | { height: number }) => set(addResizeStep(steps, params));
  return (
    <>
      <div className={styles.sides}>
        <SideField label={t('width')} value={size.width} change={(width) => changeSize({ width })} />
        <span aria-hidden="true">×</span>
        <SideField label={t('height')} value={size.height} change={(height) => changeSize({ height })} />
      </div>
      <p className={styles.hint}>{t('sizeHint')}</p>
    </>
  );
}

function SideField({ label, value, change }: { label: string; value: number; change(value: number): void }) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const applyInput = () => {
    const given = Math.round(Number(text));
    if (given >= 1 && given <= maxSide) {
      if (given !== value) change(given);
    } else setText(String(value));
  };
  return (
    <label>
      {label}
      <input
        type="number"
        inputMode="numeric"
        min={1}
        max={maxSide}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={applyInput}
        onKeyDown={({ key }) => key === 'Enter' && applyInput()}
      />
    </label>
  );
}

interface SliderRange {
  min: number;
  max: number;
  step: number;
  /** Smallest value in the API; a smaller value removes the filter. */
  smallest?: number;
}

/** Degrees. The API allows 45, which crops half of the picture away. */
const straightenRange: SliderRange = { min: -45, max: 45, step: 0.1 };
const percentRange: SliderRange = { min: -100, max: 100, step: 1 };
const sliderRanges: Record<string, SliderRange> = {
  brightness: percentRange,
  contrast: percentRange,
  highlights: percentRange,
  shadows: percentRange,
  saturation: percentRange,
  temperature: percentRange,
  hue: { min: -180, max: 180, step: 1 },
  sharpen: { min: 0, max: 5, step: 0.1, smallest: 0.5 },
  blur: { min: 0, max: 30, step: 0.1, smallest: 0.3 },
};
const toggleFilters = ['grayscale', 'sepia', 'invert'];

export function ColorTool({ steps, set }: Props) {
  return (
    <>
      <div className={styles.choices}>
        {toggleFilters.map((type) => {
          const isOn = getFilterValue(steps, type) !== 0;
          return (
            <button
              key={type}
              type="button"
              aria-pressed={isOn}
              onClick={() => set(setFilterStep(steps, type, isOn ? undefined : 1))}
            >
              {t(filterMessageKeys[type]!)}
            </button>
          );
        })}
      </div>
      {Object.entries(sliderRanges).map(([type, range]) => (
        <Slider
          key={type}
          name={t(filterMessageKeys[type]!)}
          range={range}
          value={getFilterValue(steps, type)}
          change={(value) => set(setFilterStep(steps, type, value || undefined), type)}
        />
      ))}
    </>
  );
}

interface SliderProps {
  name: string;
  range: SliderRange;
  value: number;
  change(value: number): void;
}

function Slider({ name, range: { smallest = 0, ...range }, value, change }: SliderProps) {
  const applyValue = (given: number) =>
    change(given > 0 && given < smallest ? (given > value ? smallest : 0) : given);
  const computeShare = (at: number) => (at - range.min) / (range.max - range.min);
  const shares = { '--zero': computeShare(0), '--value': computeShare(value) } as CSSProperties;
  return (
    <label className={styles.slider}>
      <span>{name}</span>
      <span aria-hidden="true">{value.toLocaleString(getLanguage())}</span>
      <input
        type="range"
        {...range}
        value={value}
        style={shares}
        onChange={({ target }) => applyValue(Number(target.value))}
        onDoubleClick={() => change(0)}
      />
    </label>
  );
}
