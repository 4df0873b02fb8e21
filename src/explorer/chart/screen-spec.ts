import type { VegaLiteSpec } from '../../charts/vega-lite-spec.js';
import { withNarrowLegends } from './narrow-legends.js';
import { localeConfig, withTextSize } from './readers-config.js';

/** A specification, as far as the page reads and changes it. */
type Part = Record<string, unknown> & {
  readonly layer?: readonly Part[] | undefined;
  readonly vconcat?: readonly Part[] | undefined;
  readonly transform?: readonly { from?: { data?: { values?: readonly Label[] } } }[] | undefined;
  readonly mark?: unknown;
  readonly encoding?: Record<string, unknown> | undefined;
};

/** A label of a series as it is drawn, and its whole name where that is another. */
interface Label {
  readonly label: string;
  readonly name?: string | undefined;
}

/** A chart taken apart: the texts that the page shows as HTML, and what remains to draw. */
export interface ScreenChart {
  readonly spec: object;
  /** The points of the specification; null where its parts have their own. */
  readonly points: readonly object[] | null;
  readonly title: string;
  readonly subtitle: string;
  readonly caption: string;
  readonly description: string;
  /** Labels of the series in the order of their colours; none where the chart has no series. */
  readonly labels: readonly string[];
  /** What is written above the panel of each series; null where all series are in one. */
  readonly headings: readonly string[] | null;
}

/** What the points of a specification are called. */
export const POINTS = 'points';

/** Takes a chart apart. Texts in HTML wrap, can be selected, and are read aloud; those of a canvas are not, and are in the reader's language and size. */
export function screenChart(themed: VegaLiteSpec, { legends }: { legends: boolean }): ScreenChart {
  const { title, ...spec } = themed as unknown as Part & {
    title?: string | { text: string; subtitle?: string };
  };
  const texts = typeof title === 'object' ? title : { text: title ?? '' };
  return {
    spec: withTextSize(
      forReader(withNarrowLegends(withoutTexts(spec, legends), labelsOf(spec))),
      textFactor(),
    ),
    points: (spec.data as { values?: readonly object[] } | undefined)?.values ?? null,
    title: texts.text,
    subtitle: texts.subtitle ?? '',
    caption: captionOf(spec) ?? '',
    description: themed.description,
    labels: labelsOf(spec).map(({ label, name }) => name ?? label),
    headings: spec.vconcat === undefined ? null : labelsOf(spec).map(({ label }) => label),
  };
}

/** Pixels of text at which specifications are made. */
const TEXT_PIXELS = 16;

function textFactor(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / TEXT_PIXELS;
}

function forReader(spec: Part): Part {
  const { config, data } = spec as { config?: object; data?: object };
  return {
    ...spec,
    ...(data === undefined ? {} : { data: { ...data, name: POINTS } }),
    config: { ...config, locale: localeConfig(navigator.languages) },
  };
}

function labelsOf(spec: Part): readonly Label[] {
  const labelled = spec.transform === undefined ? spec.vconcat?.[0] : spec;
  return labelled?.transform?.[0]?.from?.data?.values ?? [];
}

function isCaption({ mark }: Part): boolean {
  return typeof mark === 'object' && mark !== null && (mark as { style?: string }).style === 'caption';
}

function captionOf(part: Part): string | undefined {
  if (isCaption(part)) return String((part.mark as { text?: unknown }).text ?? '');
  for (const inner of [...(part.layer ?? []), ...(part.vconcat ?? [])]) {
    const found = captionOf(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The parts without captions, and without legends of colours unless they stay. */
function withoutTexts(part: Part, legends: boolean): Part {
  const { layer, vconcat, encoding, ...rest } = part;
  const parts = (inner: readonly Part[]) =>
    inner.filter((one) => !isCaption(one)).map((one) => withoutTexts(one, legends));
  const color = encoding?.color as { type?: string } | undefined;
  const isNamed = color?.type === 'nominal' && !legends;
  return {
    ...rest,
    ...(layer === undefined ? {} : { layer: parts(layer) }),
    ...(vconcat === undefined ? {} : { vconcat: parts(vconcat) }),
    ...(encoding === undefined
      ? {}
      : { encoding: isNamed ? { ...encoding, color: { ...color, legend: null } } : encoding }),
  };
}
