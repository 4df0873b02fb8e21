import type { LongFrame } from '../frame/frame.js';
import type { Every, Scale } from '../model/chart-choices.js';
import type { Note } from '../model/chart-notes.js';
import { badArgument } from '../model/errors.js';
import { DAY_MS } from '../model/time.js';
import type { Chart, FramePlotOptions } from './chart.js';
import { drawFrame, frameLines } from './frame.js';
import { frameTexts } from './frame-lines.js';
import { type Comparison, headline } from './headline.js';
import { creditAsKnown, type Writer } from './language.js';
import { isAnnual, joinTexts, type Line } from './lines.js';
import { drawUsualYear, drawYears } from './years.js';

const MAX_SMOOTHED_LINES = 4;
/** Lines with periods shorter than this are treated as daily or weekly. */
const FINE_DAYS = 8;
const MIN_SMOOTHED_DAYS = 400;
/** The window, in days, of the mean used to smooth lines. */
const SMOOTH_DAYS = 31;

/** Resolves the scale `auto`, which smooths up to four lines of daily or weekly values that span more than 400 days. */
function drawnScale(scale: Scale, lines: readonly Line[]): Exclude<Scale, 'auto'> {
  if (scale !== 'auto') return scale;
  const isLong = ({ start }: Line) => start.at(-1)! - start[0]! > MIN_SMOOTHED_DAYS * DAY_MS;
  const isFine = lines.every((line) => line.periodDays < FINE_DAYS && isLong(line));
  return isFine && lines.length <= MAX_SMOOTHED_LINES ? 'smooth' : 'normal';
}

interface ViewLook extends Pick<FramePlotOptions, 'width' | 'height' | 'max_points' | 'places'> {
  readonly scale: Scale;
  /** The period to which values are resampled; null or absent to keep the source's periods. */
  readonly every?: Every | null | undefined;
  readonly notes: readonly Note[];
  readonly write: Writer;
  readonly asof: string | null;
  readonly credit: string;
  readonly remarks?: readonly string[] | undefined;
}

/** The comparison made in the title for each scale. Unlisted scales compare with the ten years before. */
const COMPARISONS: Readonly<Partial<Record<Scale, Comparison>>> = {
  usual: 'years',
  season: 'years',
  index: 'index',
  change: 'change',
  yoy: 'change',
  mean: 'nothing',
};

export function viewChart(frame: LongFrame, lines: readonly Line[], look: ViewLook): Chart {
  const { scale: wanted, every, notes, write, asof, credit, remarks, ...size } = look;
  const scale = drawnScale(wanted, lines);
  if ((scale === 'season' || scale === 'usual') && lines.every(isAnnual))
    throw badArgument('lines', 'annual values cannot be drawn over the months of a year', {
      remedy: 'choose another scale',
    });
  const source = creditAsKnown(credit, { asof, write, remarks });
  const { title, subtitle } = frameTexts(frame, {});
  const plain = { ...size, source, annotations: notes, subtitle };
  const comparison = COMPARISONS[scale] ?? 'ten years';
  // Values aggregated to weeks get no headline that compares years, because years do not consist of whole weeks.
  const isOfWeeks = every === 'week' && comparison.endsWith('years');
  const sentence = isOfWeeks ? null : headline(lines, write, comparison);
  const named =
    sentence === null ? plain : { ...plain, title: sentence, subtitle: joinTexts([title, subtitle]) };
  const figures = new Map(lines.map(({ label, figures }) => [label, figures]));
  const drawn = frameLines(frame).map((line) => ({ ...line, figures: figures.get(line.label) }));
  if (scale === 'season') return drawYears(frame, drawn, named);
  if (scale === 'usual') return drawUsualYear(frame, drawn, named);
  const smooth = scale === 'smooth' ? SMOOTH_DAYS : undefined;
  const axis = scale === 'zero' || scale === 'log' ? scale : undefined;
  return drawFrame(frame, drawn, { ...named, smooth, scale: axis });
}
