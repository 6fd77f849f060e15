/**
 * Draws a bar chart of daily values with uPlot, and redraws the chart when its width or the color scheme
 * changes.
 */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { getLanguage } from '../messages/messages.ts';
import { followColors } from '../ui/theme.ts';
import styles from './figures.module.css';

interface Props {
  /** Days as YYYY-MM-DD, in order and without gaps. */
  days: string[];
  values: number[];
  formatValue(value: number): string;
  /** Base for round numbers on the value axis: 1000, or 1024 for bytes. The default is 1000. */
  base?: 1000 | 1024;
}

const chartHeight = 180;
const roundIncrements = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const incrementPowers = [0, 1, 2, 3, 4];
/** Half a day in seconds, the margin at both ends of the time axis. */
const halfDaySeconds = 43_200;

export function DailyValuesChart({ days, values, formatValue, base = 1000 }: Props) {
  const host = useRef<HTMLDivElement>(null);
  // The text changes only when the drawn values change; the arrays are new at each render.
  const drawn = JSON.stringify([days, values]);
  useEffect(() => {
    const element = host.current!;
    const [dates, figures] = JSON.parse(drawn) as [string[], number[]];
    const data: uPlot.AlignedData = [dates.map((day) => Date.parse(day) / 1000), figures];
    let plot: uPlot | undefined;
    const redrawChart = () => {
      plot?.destroy();
      plot = new uPlot(createChartOptions(element, formatValue, base), data, element);
    };
    redrawChart();
    const stopFollowing = followColors(redrawChart);
    const resized = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: chartHeight }),
    );
    resized.observe(element);
    return () => {
      stopFollowing();
      resized.disconnect();
      plot?.destroy();
    };
  }, [drawn, formatValue, base]);
  return <div ref={host} className={styles.chart} aria-hidden="true" />;
}

function createChartOptions(
  element: HTMLElement,
  formatValue: (value: number) => string,
  base: number,
): uPlot.Options {
  // A canvas cannot read CSS variables, so the colors come from the element's computed style.
  const { color, borderTopColor, outlineColor, fontFamily } = getComputedStyle(element);
  const axis = { stroke: outlineColor, font: `12px ${fontFamily}`, ticks: { show: false } };
  const day = new Intl.DateTimeFormat(getLanguage(), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return {
    width: element.clientWidth,
    height: chartHeight,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { show: false },
    // Leave room for half a bar at both ends of the chart.
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
        values: (_, splits) => splits.map(formatValue),
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
