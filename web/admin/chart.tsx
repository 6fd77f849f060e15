/** Bars of days by uPlot, in the colours of the page: drawn anew for another width, light or dark. */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { language } from '../messages/messages.ts';
import styles from './figures.module.css';

interface Props {
  /** YYYY-MM-DD, without gaps. */
  days: string[];
  values: number[];
  textOf(value: number): string;
  /** What the lines at the side are round in: 1000, or 1024 for bytes. */
  base?: 1000 | 1024;
}

const chartHeight = 180;
const roundIncrements = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const incrementPowers = [0, 1, 2, 3, 4];
/** Seconds. */
const halfDaySeconds = 43_200;

export function Chart({ days, values, textOf, base = 1000 }: Props) {
  const host = useRef<HTMLDivElement>(null);
  // What it draws, as text: the lists are new ones each time.
  const drawn = JSON.stringify([days, values]);
  useEffect(() => {
    const element = host.current!;
    const [dates, figures] = JSON.parse(drawn) as [string[], number[]];
    const data: uPlot.AlignedData = [dates.map((day) => Date.parse(day) / 1000), figures];
    let plot: uPlot | undefined;
    const redrawChart = () => {
      plot?.destroy();
      plot = new uPlot(createChartOptions(element, textOf, base), data, element);
    };
    redrawChart();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redrawChart);
    const resized = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: chartHeight }),
    );
    resized.observe(element);
    return () => {
      dark.removeEventListener('change', redrawChart);
      resized.disconnect();
      plot?.destroy();
    };
  }, [drawn, textOf, base]);
  return <div ref={host} className={styles.chart} aria-hidden="true" />;
}

function createChartOptions(
  element: HTMLElement,
  textOf: (value: number) => string,
  base: number,
): uPlot.Options {
  // A canvas knows no variables: the element has resolved them.
  const { color, borderTopColor, outlineColor, fontFamily } = getComputedStyle(element);
  const axis = { stroke: outlineColor, font: `12px ${fontFamily}`, ticks: { show: false } };
  const day = new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return {
    width: element.clientWidth,
    height: chartHeight,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { show: false },
    // Room for half a bar at both ends.
    scales: {
      x: { range: (_, min, max) => [min - halfDaySeconds, max + halfDaySeconds] },
      y: { range: (_, __, max) => [0, Math.max(1, max)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 32,
        space: 64,
        values: (_, splits) => splits.map((seconds) => day.format(seconds * 1000)),
      },
      {
        ...axis,
        grid: { stroke: borderTopColor, width: 1 },
        size: 64,
        space: 40,
        incrs: incrementPowers.flatMap((power) => roundIncrements.map((step) => step * base ** power)),
        values: (_, splits) => splits.map(textOf),
      },
    ],
    series: [
      {},
      {
        fill: color,
        stroke: color,
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars!({ size: [0.7, 40] }),
      },
    ],
  };
}
