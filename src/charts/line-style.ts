import { ArgumentError } from '../model/errors.js';
import type { ChartLine } from './chart-spec.js';

/** With more lines, only the highlighted, the highest and the lowest are labelled. */
const MAX_LABELS = 14;

/** A line without style. */
export interface UnstyledLine {
  readonly name: string;
  /** Text at the end of the line. */
  readonly label: string;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * Styles lines: each in its own colour, or the others in grey when one is highlighted or there are many. The highlighted
 * line is last, so that it is drawn above the others.
 * @throws ArgumentError when no line has the highlighted name
 */
export function styleLines(lines: readonly UnstyledLine[], highlight: string | undefined): ChartLine[] {
  const names = lines.map(({ name }) => name);
  if (highlight !== undefined && !names.includes(highlight)) {
    throw new ArgumentError(
      'highlight',
      `nothing is labelled "${highlight}"; choose one of ${names.join(', ')}`,
    );
  }
  const isCrowded = lines.length > MAX_LABELS;
  const ends = lines.map(({ y }) => lastValue(y));
  const extremes = [Math.min(...ends), Math.max(...ends)];
  const styled = lines.map(({ name, label, x, y }, i): ChartLine => {
    const isLabelled = !isCrowded || name === highlight || extremes.includes(ends[i]!);
    const shown = { x, y, label: isLabelled ? label : undefined };
    if (name === highlight) return { ...shown, colour: HIGHLIGHT_COLOUR, width: 3 };
    if (highlight !== undefined || isCrowded) return { ...shown, colour: BACKGROUND_COLOUR, width: 1.2 };
    return { ...shown, ...lineStyle(i), width: 2 };
  });
  const isHighlighted = (_: ChartLine, i: number) => names[i] === highlight;
  return [...styled.filter((line, i) => !isHighlighted(line, i)), ...styled.filter(isHighlighted)];
}

/** The last value that is not missing; NaN when all are. */
function lastValue(values: Float64Array): number {
  return values.findLast((value) => !Number.isNaN(value)) ?? Number.NaN;
}

/** The palette of Okabe and Ito for every kind of colour vision; without yellow, which is too pale on white. */
const LINE_COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000'] as const;

/** Dash patterns that distinguish lines when the colours repeat. */
const DASHES = [undefined, '7 4', '2 4'] as const;

const HIGHLIGHT_COLOUR = '#D55E00';
const BACKGROUND_COLOUR = '#b8c2cc';

/** The stroke of the i-th line; the first twenty-one are distinct. */
function lineStyle(i: number): { colour: string; dash: string | undefined } {
  return {
    colour: LINE_COLOURS[i % LINE_COLOURS.length]!,
    dash: DASHES[Math.floor(i / LINE_COLOURS.length) % DASHES.length],
  };
}
