import { ArgumentError } from '../model/errors.js';
import type { ChartLine } from './chart-spec.js';

/** With more lines than this, only the highlighted, the highest and the lowest are labelled. */
const MAX_LABELS = 14;

/** A line before it is styled. */
export interface PlainLine {
  readonly name: string;
  /** Written at the line's end. */
  readonly label: string;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * Styles lines so that they can be told apart: each in its own colour, or, where one is highlighted or there are many,
 * the others in grey. The highlighted one comes last, above the others.
 * @throws ArgumentError when no line bears the name to highlight
 */
export function emphasise(lines: readonly PlainLine[], highlight: string | undefined): ChartLine[] {
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

/** Okabe and Ito's colours, told apart by readers of every kind of colour vision; yellow is left out as too pale on white. */
const LINE_COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000'] as const;

/** Strokes that tell lines apart once the colours repeat. */
const DASHES = [undefined, '7 4', '2 4'] as const;

const HIGHLIGHT_COLOUR = '#D55E00';
const BACKGROUND_COLOUR = '#b8c2cc';

/** The stroke of the i-th line: no two of the first twenty-one are alike. */
function lineStyle(i: number): { colour: string; dash: string | undefined } {
  return {
    colour: LINE_COLOURS[i % LINE_COLOURS.length]!,
    dash: DASHES[Math.floor(i / LINE_COLOURS.length) % DASHES.length],
  };
}
