import { writeFileSync } from 'node:fs';
import { linearRegression } from 'simple-statistics';
import type { BenchResult } from './workload.js';

const WIDTH = 960;
const HEIGHT = 510;
const FONT = 'font-family="system-ui, sans-serif" font-size="12"';
const POINTS_A_SERIES = 2_000;

interface Line {
  readonly label: string;
  readonly colour: string;
  /** Series, and milliseconds. */
  readonly dots: readonly (readonly [number, number])[];
}

const PARTS = {
  store: '#4477aa',
  encode: '#66ccee',
  transfer: '#ccbb44',
  decode: '#ee6677',
  frame: '#228833',
};

/**
 * Draws the results of `saved` as `growth.svg`: time against the number of series, and where the time goes.
 * @returns the picture in Markdown
 */
export function drawGrowth(results: readonly BenchResult[]): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ${FONT} fill="#222">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${growthPanel(linesOf(results))}
${partsPanel(results)}
</svg>\n`;
  writeFileSync(new URL('growth.svg', import.meta.url), svg);
  return '![Time against the number of series, and where the time of 1,000 series goes](growth.svg)\n\n';
}

function linesOf(results: readonly BenchResult[]): Line[] {
  const named = (form: string, place: string) =>
    results.filter(({ workload }) =>
      new RegExp(`^getDf of [\\d,]+ neighbouring series × 2,000 points, ${form}, ${place}$`).test(workload),
    );
  const dots = (from: readonly BenchResult[], side: 'oursMs' | 'rivalMs'): Line['dots'] =>
    from.map((result) => [result.rows / POINTS_A_SERIES, result[side]]);
  const python = results.filter(({ rival }) => rival.startsWith('the public Python client'));
  return [
    { label: 'public Python client’s way, long', colour: '#aa3377', dots: dots(python, 'rivalMs') },
    { label: 'getDf, long, loopback', colour: '#4477aa', dots: dots(named('long', 'loopback'), 'oursMs') },
    { label: 'getDf, wide, loopback', colour: '#ee6677', dots: dots(named('wide', 'loopback'), 'oursMs') },
    { label: 'getDf, long, embedded', colour: '#66ccee', dots: dots(named('long', 'embedded'), 'oursMs') },
    { label: 'getDf, wide, embedded', colour: '#ccbb44', dots: dots(named('wide', 'embedded'), 'oursMs') },
    { label: 'bare engine scan', colour: '#228833', dots: dots(named('long', 'loopback'), 'rivalMs') },
  ].filter((line) => line.dots.length > 0);
}

/** How the cost grows with the number of series, from 100 on: 1 is linear. */
function exponentOf({ dots }: Line): string {
  const large = dots.filter(([series]) => series >= 100);
  if (large.length < 2) return '';
  const { m } = linearRegression(large.map((dot) => dot.map(Math.log)));
  return `: from 100 series on, time ∝ series^${m.toFixed(2)}`;
}

/** Both axes are logarithmic. */
function growthPanel(lines: readonly Line[]): string {
  const top = Math.ceil(Math.log10(Math.max(1, ...lines.flatMap(({ dots }) => dots.map(([, ms]) => ms)))));
  const x = (series: number) => 60 + (Math.log10(series) - 0.9) * 118;
  const y = (ms: number) => 350 - (Math.log10(ms) / top) * 320;
  const decades = Array.from({ length: top + 1 }, (_, i) => 10 ** i);
  const grid = decades.map(
    (ms) => `<path d="M60 ${y(ms)}H430" stroke="#ddd"/>${text(54, y(ms) + 4, shown(ms), 'end')}`,
  );
  const ticks = [10, 100, 1_000, 8_000].map((n) => text(x(n), 368, n.toLocaleString('en-US'), 'middle'));
  const drawn = lines.map(({ colour, dots }) => {
    const path = dots.map(([n, ms]) => `${x(n).toFixed(1)} ${y(ms).toFixed(1)}`);
    const marks = dots.map(([n, ms]) => `<circle cx="${x(n).toFixed(1)}" cy="${y(ms).toFixed(1)}" r="3.5"/>`);
    return `<g fill="${colour}"><path d="M${path.join('L')}" fill="none" stroke="${colour}" stroke-width="2"/>${marks.join('')}</g>`;
  });
  const legend = lines.map((line, i) => key(66, 412 + i * 17, line.colour, line.label + exponentOf(line)));
  const title = text(60, 16, 'Time for neighbouring series × 2,000 points', 'start');
  const axis = text(245, 388, 'series', 'middle');
  return [title, axis, ...grid, ...ticks, ...drawn, ...legend].join('\n');
}

function partsPanel(results: readonly BenchResult[]): string {
  const bars = results.flatMap(({ workload, figures }) => {
    const form = /^parts of getDf.* (long|wide)$/.exec(workload)?.[1];
    const parts = Object.entries(PARTS).map(
      ([name, colour]) => [figures[`${name} ms`] ?? 0, colour] as const,
    );
    return form === undefined ? [] : [[`getDf, ${form}`, parts] as const];
  });
  const scan = results.find(({ workload }) => workload.startsWith('parts of getDf'))?.rivalMs ?? 0;
  const all = [...bars, ['bare engine scan', [[scan, '#999']]] as const];
  const sum = (parts: readonly (readonly [number, string])[]) => parts.reduce((ms, [part]) => ms + part, 0);
  const scale = 300 / Math.max(1, ...all.map(([, parts]) => sum(parts)));
  const drawn = all.map(([label, parts], row) => {
    const y = 70 + row * 70;
    let x = 590;
    const segments = parts.map(([ms, colour]) => {
      const width = ms * scale;
      x += width;
      return `<rect x="${(x - width).toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="36" fill="${colour}"/>`;
    });
    const total = text(x + 6, y + 23, shown(Math.round(sum(parts))), 'start');
    return [text(582, y + 23, label, 'end'), ...segments, total].join('');
  });
  const legend = Object.entries(PARTS).map(([name, colour], i) => key(590 + i * 72, 300, colour, name));
  const title = text(480, 16, 'Where the time goes: 1,000 series, loopback, each part by itself', 'start');
  return [title, ...drawn, ...legend].join('\n');
}

const text = (x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;

const key = (x: number, y: number, colour: string, words: string): string =>
  `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colour}"/>${text(x + 15, y, words, 'start')}`;

/** Milliseconds, or seconds from one on. */
const shown = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toPrecision(3))} s`);
