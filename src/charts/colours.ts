/** Okabe and Ito's colours, told apart by readers of every kind of colour vision; yellow is left out as too pale on white. */
export const LINE_COLOURS = [
  '#0072B2',
  '#D55E00',
  '#009E73',
  '#CC79A7',
  '#E69F00',
  '#56B4E9',
  '#000000',
] as const;

/** Strokes that tell lines apart once the colours repeat. */
const DASHES = [undefined, '7 4', '2 4'] as const;

export const HIGHLIGHT_COLOUR = '#D55E00';
export const BACKGROUND_COLOUR = '#b8c2cc';

/** The stroke of the i-th line: no two of the first twenty-one are alike. */
export function lineStyle(i: number): { colour: string; dash: string | undefined } {
  return {
    colour: LINE_COLOURS[i % LINE_COLOURS.length]!,
    dash: DASHES[Math.floor(i / LINE_COLOURS.length) % DASHES.length],
  };
}
