/** A square frame over a new avatar. The user moves and zooms the picture by pointer or keys. */
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import styles from './settings.module.css';

interface Props {
  file: Blob;
  /** The canvas that holds the square in the frame. */
  canvas: RefObject<HTMLCanvasElement | null>;
  /** Reports whether the browser can read the picture. */
  onRead(isReadable: boolean): void;
}

interface Frame {
  /** Center of the square, as fractions of the picture. */
  x: number;
  y: number;
  /** 1 shows the whole shorter side of the picture. */
  zoom: number;
}

/** Width of the saved picture, in pixels. */
const savedWidth = 512;
const maxZoom = 4;
/** Part of the frame by which an arrow key moves the picture. */
const keyStep = 0.05;
const zoomStep = 0.1;
const arrows: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export default function AvatarFrame({ file, canvas, onRead }: Props) {
  const [picture, setPicture] = useState<ImageBitmap>();
  const [frame, setFrame] = useState<Frame>({ x: 0.5, y: 0.5, zoom: 1 });
  const last = useRef<{ x: number; y: number }>(undefined);
  useEffect(() => {
    let isGone = false;
    createImageBitmap(file).then(
      (read) => {
        if (isGone) return read.close();
        setPicture(read);
        onRead(true);
      },
      () => !isGone && onRead(false),
    );
    return () => {
      isGone = true;
    };
  }, [file, onRead]);
  useEffect(() => {
    if (!picture) return;
    const { x, y, zoom } = frame;
    const side = Math.min(picture.width, picture.height) / zoom;
    const [left, top] = [x * picture.width - side / 2, y * picture.height - side / 2];
    const context = canvas.current!.getContext('2d')!;
    context.clearRect(0, 0, savedWidth, savedWidth);
    context.drawImage(picture, left, top, side, side, 0, 0, savedWidth, savedWidth);
  }, [picture, frame, canvas]);

  /** Moves the frame over the picture by parts of the frame's width. */
  const move = (x: number, y: number) =>
    picture && setFrame((now) => clampFrame({ ...now, ...shift(now, picture, x, y) }, picture));
  const zoomTo = (zoom: number) =>
    picture && setFrame((now) => clampFrame({ ...now, zoom: clamp(zoom, 1, maxZoom) }, picture));
  const handleKeyDown = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (arrow) move(arrow[0] * keyStep, arrow[1] * keyStep);
    else if (event.key === '+' || event.key === '=') zoomTo(frame.zoom + zoomStep);
    else if (event.key === '-') zoomTo(frame.zoom - zoomStep);
    else return;
    event.preventDefault();
  };
  const handlePointerMove = ({ clientX: x, clientY: y, currentTarget }: PointerEvent) => {
    if (!last.current) return;
    const width = currentTarget.clientWidth;
    move((last.current.x - x) / width, (last.current.y - y) / width);
    last.current = { x, y };
  };
  const endDrag = () => {
    last.current = undefined;
  };
  return (
    <div className={styles.frame}>
      <div
        role="application"
        aria-label={t('settingsPictureFrame')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture
        tabIndex={0}
        onKeyDown={handleKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          last.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={handlePointerMove}
        onPointerUp={endDrag}
        onPointerCancel={endDrag}
      >
        <canvas ref={canvas} width={savedWidth} height={savedWidth} />
      </div>
      <label>
        {t('settingsPictureZoom')}
        <input
          type="range"
          min={1}
          max={maxZoom}
          step={0.01}
          value={frame.zoom}
          onChange={({ target }) => zoomTo(Number(target.value))}
        />
      </label>
    </div>
  );
}

type PictureSize = Pick<ImageBitmap, 'width' | 'height'>;

function shift({ x, y, zoom }: Frame, { width, height }: PictureSize, right: number, down: number) {
  const side = Math.min(width, height) / zoom;
  return { x: x + (right * side) / width, y: y + (down * side) / height };
}

/** Returns the frame inside the picture. */
function clampFrame({ x, y, zoom }: Frame, { width, height }: PictureSize): Frame {
  const half = Math.min(width, height) / zoom / 2;
  const [minX, minY] = [half / width, half / height];
  return { x: clamp(x, minX, 1 - minX), y: clamp(y, minY, 1 - minY), zoom };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
