/** Draws an SVG chart of costs by number of photos, with logarithmic axes and one labeled line per read. */
import type { Growth } from './measure.ts';

const [width, height] = [760, 440];
const margin = { left: 64, right: 150, top: 24, bottom: 44 };
/** Colors that differ on light and dark backgrounds, also for color-blind readers. */
const colours = [
  '#3b7dd8',
  '#d9822b',
  '#2e9e6b',
  '#b5489a',
  '#8a6d3b',
  '#6a5acd',
  '#c0392b',
  '#1f8a9c',
  '#7d8f2b',
  '#808894',
  '#e0559a',
];
const minGap = 15;

const style = `text { font: 13px system-ui, sans-serif; fill: #333; } .grid { stroke: #ddd; } .axis { stroke: #888; }
    @media (prefers-color-scheme: dark) { text { fill: #ddd; } .grid { stroke: #444; } .axis { stroke: #999; } }`;

/** Draws the chart of one database. */
export function drawChart(growths: Growth[], sizes: number[]): string {
  const values = growths.flatMap(({ costs }) => [...costs.values()].filter((cost) => cost !== null));
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  const x = scale(sizes[0]!, sizes.at(-1)!, margin.left, width - margin.right);
  const y = scale(low, high, height - margin.bottom, margin.top);
  const lines = growths.map((growth, index) => ({ ...growth, colour: colours[index % colours.length]! }));
  const parts = [
    ...drawGrid(low, high, y),
    ...sizes.map((size) => label(x(size), height - margin.bottom + 20, size.toLocaleString('en'), 'middle')),
    label((margin.left + width - margin.right) / 2, height - 6, 'photos', 'middle'),
    ...lines.map(({ costs, colour }) => drawLine([...costs], colour, x, y)),
    ...drawNames(lines, y),
  ];
  const title = `CPU of one request on ${growths[0]?.database}, in milliseconds`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
  <title>${title}</title>
  <style>${style}</style>
  ${parts.join('\n  ')}
</svg>
`;
}

type Scale = (value: number) => number;

function scale(from: number, to: number, start: number, end: number): Scale {
  const span = Math.log10(to) - Math.log10(from) || 1;
  return (value) => round(start + ((Math.log10(value) - Math.log10(from)) / span) * (end - start));
}

function drawGrid(low: number, high: number, y: Scale): string[] {
  const parts: string[] = [];
  for (let value = low; value <= high * 1.001; value *= 10) {
    parts.push(
      `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(value)}" y2="${y(value)}"/>`,
    );
    parts.push(label(margin.left - 8, y(value) + 4, `${Number(value.toPrecision(1))} ms`, 'end'));
  }
  return parts;
}

/** Draws the line of one read without its missing values. */
function drawLine(costs: [number, number | null][], colour: string, x: Scale, y: Scale): string {
  const points = costs.filter((point): point is [number, number] => point[1] !== null);
  const path = points.map(([size, cost]) => `${x(size)},${y(cost)}`).join(' ');
  const dots = points.map(
    ([size, cost]) => `<circle cx="${x(size)}" cy="${y(cost)}" r="3" fill="${colour}"/>`,
  );
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}`;
}

/** Draws the names at the ends of the lines, with a minimum distance between them. */
function drawNames(lines: (Growth & { colour: string })[], y: Scale): string[] {
  const ends = lines
    .map(({ read, costs, colour }) => ({ read, colour, at: y(findLastCost(costs)) }))
    .sort((one, other) => one.at - other.at);
  let above = -minGap;
  return ends.map(({ read, colour, at }) => {
    above = Math.max(at, above + minGap);
    const place = `x="${width - margin.right + 10}" y="${above + 4}"`;
    return `<text ${place}><tspan fill="${colour}">●</tspan> ${read}</text>`;
  });
}

function findLastCost(costs: Map<number, number | null>): number {
  return [...costs.values()].filter((cost) => cost !== null).at(-1) ?? 1;
}

function label(x: number, y: number, text: string, anchor: string): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
