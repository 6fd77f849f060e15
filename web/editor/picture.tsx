/**
 * Previews the edit steps with CSS and SVG only. No pixel is read here; the server renders the saved image.
 */
import { useId } from 'react';
import type { EditHistory, EditStep } from '../api/types.ts';
import styles from './picture.module.css';
import {
  buildCssFilter,
  computeEditPreview,
  computeSvgTables,
  computeTransformScale,
  type PreviewFilter,
} from './preview.ts';
import type { PixelSize } from './steps.ts';

interface Props {
  original: EditHistory['original'];
  steps: EditStep[];
  /** Available space for the picture, in pixels of the page. */
  room: PixelSize;
  alt: string;
}

/** Small photos are enlarged up to this factor, so that the pointer can reach their corners. */
const maxScale = 2;
const pictureWidths = [640, 960, 1280, 1920, 2560];

export function EditorPicture({ original, steps, room, alt }: Props) {
  const id = useId();
  const { size, matrix, filters } = computeEditPreview(original, steps);
  const scale = findFittingScale(room, size);
  const [a, b, c, d, e, f] = matrix;
  // The layout size is close to the displayed size; the transform rotates and moves the picture.
  const layout = scale * computeTransformScale(matrix);
  const turned = [a, b, c, d].map((n) => (n * scale) / layout);
  const transform = `matrix(${[...turned, e * scale, f * scale].join(', ')})`;
  const svgId = (index: number) => `${id}-${index}`;
  return (
    <div
      className={styles.frame}
      style={{ width: size.width * scale, height: size.height * scale }}
      data-size={`${size.width} × ${size.height}`}
    >
      <svg className={styles.defs} aria-hidden="true">
        {filters.map((filter, index) => (
          <SvgFilter key={svgId(index)} id={svgId(index)} filter={filter} layout={layout} />
        ))}
      </svg>
      <img
        src={original.preview}
        srcSet={pictureWidths.map((width) => imageUrl(original, width)).join(', ')}
        sizes={`${Math.round(original.width * layout)}px`}
        alt={alt}
        draggable={false}
        style={{
          width: original.width * layout,
          height: original.height * layout,
          transform,
          filter: buildCssFilter(filters, layout, (index) => `url("#${svgId(index)}")`),
        }}
      />
    </div>
  );
}

function findFittingScale(room: PixelSize, { width, height }: PixelSize): number {
  return Math.max(0.001, Math.min(room.width / width, room.height / height, maxScale));
}

function imageUrl({ image, width: whole }: EditHistory['original'], width: number): string {
  return `${image.replace('{width}', String(width))} ${Math.min(width, whole)}w`;
}

/** The SVG filter of a filter that CSS lacks, or nothing. */
function SvgFilter({ id, filter, layout }: { id: string; filter: PreviewFilter; layout: number }) {
  if (filter.type === 'sharpen') return <Sharpen id={id} deviation={filter.value * layout} />;
  const [red, green, blue] = computeSvgTables(filter) ?? [];
  if (red === undefined) return null;
  return (
    <filter id={id} colorInterpolationFilters="sRGB">
      <feComponentTransfer>
        <feFuncR type="table" tableValues={red} />
        <feFuncG type="table" tableValues={green} />
        <feFuncB type="table" tableValues={blue} />
      </feComponentTransfer>
    </filter>
  );
}

/** An SVG filter for sharpening: twice the picture minus its blurred copy. */
function Sharpen({ id, deviation }: { id: string; deviation: number }) {
  return (
    <filter id={id} colorInterpolationFilters="sRGB">
      <feGaussianBlur stdDeviation={deviation} result="soft" />
      <feComposite in="SourceGraphic" in2="soft" operator="arithmetic" k2="2" k3="-1" />
    </filter>
  );
}
