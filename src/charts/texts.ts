import {
  checkDate,
  checkFinite,
  checkNumber,
  checkString,
  fieldsOf,
  listOf,
  oneOf,
  orNull,
  whole,
} from '../model/arguments/checks.js';
import type { OptionKeys } from '../model/arguments/option-keys.js';
import { TITLE_SIZE } from './theme.js';

/** Texts and size of a chart. */
export interface ChartTexts {
  /** The title. */
  title?: string | undefined;
  /** A line below the title. */
  subtitle?: string | undefined;
  /** Sources of the values, below the chart. */
  source?: string | undefined;
  /** Width in pixels, everything included; 860 by default. */
  width?: number | undefined;
  /** Height in pixels, everything included; 520 by default. */
  height?: number | undefined;
}

const PIXELS = whole({ min: 100, max: 10_000 });

/** The keys of `ChartTexts`. */
export const TEXT_KEYS: OptionKeys<ChartTexts> = {
  title: checkString,
  subtitle: checkString,
  source: checkString,
  width: PIXELS,
  height: PIXELS,
};

/** A line, a band or a height that you draw, with a text. Dates are `YYYY-MM-DD`; a line has no last one. */
export interface Annotation {
  /** The date of a line, or the first one of a band. */
  readonly from?: string | null | undefined;
  /** The last date of a band. */
  readonly to?: string | null | undefined;
  /** A height, in the unit of the first axis. It needs no dates. */
  readonly value?: number | null | undefined;
  /** The text beside it. */
  readonly text?: string | undefined;
}

/** Texts and size of a chart of series. */
export interface SeriesPlotOptions extends ChartTexts {
  /** The title. */
  title: string;
  /** Name of the measured quantity. */
  measure: string;
  /** Abbreviation of the unit of the values. */
  unit: string;
  /** Label of the series to highlight; the others are grey. */
  highlight?: string | undefined;
  /** Points above which lines are thinned, each pixel column keeping its extremes; 20,000 by default. */
  maxPoints?: number | undefined;
  /** Several units have a panel each, which is the default, or up to three axes of one panel. */
  axes?: 'panels' | 'one' | undefined;
  /** Ids of regions in the order of their colours, so that a place has one colour in several charts. */
  places?: readonly number[] | undefined;
  /** Days of a centred mean, which is drawn over the faint values. */
  smooth?: number | undefined;
  /** Your lines, bands and texts. */
  annotations?: readonly Annotation[] | undefined;
}

/** The keys of the options that charts of series share. */
export const SERIES_PLOT_KEYS: OptionKeys<SeriesPlotOptions> = {
  ...TEXT_KEYS,
  measure: checkString,
  unit: checkString,
  highlight: checkString,
  maxPoints: whole({ min: 1 }),
  axes: oneOf(['panels', 'one']),
  places: listOf(checkNumber),
  smooth: whole({ min: 2 }),
  annotations: listOf(
    fieldsOf({
      from: orNull(checkDate),
      to: orNull(checkDate),
      value: orNull(checkFinite),
      text: checkString,
    }),
  ),
};

/** Width and height of a chart in pixels. */
export function sizeOf({ width = 860, height = 520 }: ChartTexts): { width: number; height: number } {
  return { width, height };
}

/** Widths of letters in shares of the size of the text, rather too wide: no browser measures them in Node. */
const LETTERS: readonly (readonly [pattern: RegExp, width: number])[] = [
  [/[ijlI.,:;'|!()[\]ft r·-]/, 0.4],
  [/[mwMW@%—…]/, 0.95],
  [/[\u2e80-\uffff]/, 1],
  [/[A-Z]/, 0.7],
];
const LETTER = 0.64;

/** Pixels of a text of a size. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += LETTERS.find(([pattern]) => pattern.test(letter))?.[1] ?? LETTER;
  return width * size;
}

/** The words of a text in lines that fit; the last line takes the rest. */
export function wrapWords(
  text: string,
  fits: (line: string) => boolean,
  maxLines = Number.POSITIVE_INFINITY,
): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (fits(longer) || lines.length >= maxLines) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const CAPTION_SIZE = 11;
/** The width that Vega reserves for a letter where no browser measures, in shares of the size of the text. */
const RESERVED = 0.8;

/** A text in lines within a width: a longer line would leave the panel no room. */
function linesWithin(width: number, text: string, size = CAPTION_SIZE): string[] {
  return wrapWords(text, ({ length }) => length * RESERVED * size <= width - 80);
}

/** A title with its subtitle, in lines within a width. */
export function titleOf(title: string, subtitle: string, width: number): object {
  const text = lineOrLines(linesWithin(width, title, TITLE_SIZE));
  return subtitle === '' ? { text } : { text, subtitle: lineOrLines(linesWithin(width, subtitle)) };
}

function lineOrLines(lines: string[]): string | string[] {
  return lines.length === 1 ? lines[0]! : lines;
}

/** The source of a chart in lines; none for an empty one. */
export function sourceLines(source: string, width: number): readonly string[] {
  return source === '' ? [] : linesWithin(width, source);
}

/** The source below a panel, where no axis has it. */
export function sourceLayer(lines: readonly string[], y: number | { expr: string }): object[] {
  const mark = { type: 'text', style: 'caption', x: 0, y, text: lines, clip: false };
  return lines.length === 0 ? [] : [{ data: { values: [{}] }, mark }];
}
