/** What one can do: crop, turn, size and colour, one of them at a time. */
import { FlipHorizontal2, FlipVertical2, RotateCcwSquare, RotateCwSquare } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { EditStep } from '../api/types.ts';
import { language, t } from '../messages/messages.ts';
import { filterValue, type Size, sizeOf, withFilter, withFlip, withSize, withTurn } from './steps.ts';
import { filterNames } from './strip.tsx';
import styles from './tools.module.css';
import { type Ratio, ratios, type useCrop } from './use-crop.ts';

interface Props {
  original: Size;
  steps: EditStep[];
  /** `held`: changes by the same hand are one. */
  set(steps: EditStep[], held?: string): void;
}

const iconSize = 20;

export function CropTool({ crop, apply }: { crop: ReturnType<typeof useCrop>; apply(): void }) {
  return (
    <>
      <fieldset className={styles.choices}>
        <legend>{t('ratio')}</legend>
        {(Object.keys(ratios) as Ratio[]).map((ratio) => (
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

export function TurnTool({ steps, set }: Props) {
  return (
    <div className={styles.turns}>
      <button type="button" onClick={() => set(withTurn(steps, 270))}>
        <RotateCcwSquare size={iconSize} aria-hidden="true" />
        {t('turnLeft')}
      </button>
      <button type="button" onClick={() => set(withTurn(steps, 90))}>
        <RotateCwSquare size={iconSize} aria-hidden="true" />
        {t('turnRight')}
      </button>
      <button type="button" onClick={() => set(withFlip(steps, 'h'))}>
        <FlipVertical2 size={iconSize} aria-hidden="true" />
        {t('flipH')}
      </button>
      <button type="button" onClick={() => set(withFlip(steps, 'v'))}>
        <FlipHorizontal2 size={iconSize} aria-hidden="true" />
        {t('flipV')}
      </button>
    </div>
  );
}

/** As the API has it. */
const maxSide = 16_383;

export function SizeTool({ original, steps, set }: Props) {
  const size = sizeOf(original, steps);
  const change = (params: { width: number } | { height: number }) => set(withSize(steps, params));
  return (
    <>
      <div className={styles.sides}>
        <Side label={t('width')} value={size.width} change={(width) => change({ width })} />
        <span aria-hidden="true">×</span>
        <Side label={t('height')} value={size.height} change={(height) => change({ height })} />
      </div>
      <p className={styles.hint}>{t('sizeHint')}</p>
    </>
  );
}

function Side({ label, value, change }: { label: string; value: number; change(value: number): void }) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const take = () => {
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
        onBlur={take}
        onKeyDown={({ key }) => key === 'Enter' && take()}
      />
    </label>
  );
}

interface Range {
  min: number;
  max: number;
  step: number;
  /** What the API takes at least; less is none. */
  least?: number;
}

const percent: Range = { min: -100, max: 100, step: 1 };
const sliders: Record<string, Range> = {
  brightness: percent,
  contrast: percent,
  saturation: percent,
  hue: { min: -180, max: 180, step: 1 },
  sharpen: { min: 0, max: 5, step: 0.1, least: 0.5 },
  blur: { min: 0, max: 30, step: 0.1, least: 0.3 },
};
const switches = ['grayscale', 'sepia', 'invert'];

export function ColourTool({ steps, set }: Props) {
  return (
    <>
      <div className={styles.choices}>
        {switches.map((type) => {
          const isOn = filterValue(steps, type) !== 0;
          return (
            <button
              key={type}
              type="button"
              aria-pressed={isOn}
              onClick={() => set(withFilter(steps, type, isOn ? undefined : 1))}
            >
              {t(filterNames[type]!)}
            </button>
          );
        })}
      </div>
      {Object.entries(sliders).map(([type, range]) => (
        <Slider
          key={type}
          name={t(filterNames[type]!)}
          range={range}
          value={filterValue(steps, type)}
          change={(value) => set(withFilter(steps, type, value || undefined), type)}
        />
      ))}
    </>
  );
}

interface SliderProps {
  name: string;
  range: Range;
  value: number;
  change(value: number): void;
}

function Slider({ name, range: { least = 0, ...range }, value, change }: SliderProps) {
  const take = (given: number) => change(given > 0 && given < least ? (given > value ? least : 0) : given);
  return (
    <label className={styles.slider}>
      <span>{name}</span>
      <span aria-hidden="true">{value.toLocaleString(language())}</span>
      <input
        type="range"
        {...range}
        value={value}
        onChange={({ target }) => take(Number(target.value))}
        onDoubleClick={() => change(0)}
      />
    </label>
  );
}
