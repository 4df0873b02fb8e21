import type { VegaLiteSpec } from '../../charts.js';

/** A specification, as far as the page reads and changes it. */
type Part = Record<string, unknown> & {
  readonly layer?: readonly Part[] | undefined;
  readonly vconcat?: readonly Part[] | undefined;
  readonly transform?: readonly { from?: { data?: { values?: readonly { label: string }[] } } }[] | undefined;
  readonly mark?: unknown;
  readonly encoding?: Record<string, unknown> | undefined;
};

/** A chart taken apart: the texts that the page shows as HTML, and what remains to draw. */
export interface ScreenChart {
  readonly spec: object;
  readonly title: string;
  readonly subtitle: string;
  readonly caption: string;
  readonly description: string;
  /** Labels of the series in the order of their colours; none where the chart has no series. */
  readonly labels: readonly string[];
  /** Whether each series has a panel of its own. */
  readonly inPanels: boolean;
}

/** Takes a chart apart. Texts in HTML wrap, can be selected, and are read aloud; those of a canvas are not. */
export function screenChart(themed: VegaLiteSpec, { legends }: { legends: boolean }): ScreenChart {
  const { title, ...spec } = themed as unknown as Part & {
    title?: string | { text: string; subtitle?: string };
  };
  const texts = typeof title === 'object' ? title : { text: title ?? '' };
  const labelled = spec.transform === undefined ? spec.vconcat?.[0] : spec;
  const labels = labelled?.transform?.[0]?.from?.data?.values?.map(({ label }) => label) ?? [];
  return {
    spec: withNarrowLegends(withoutTexts(spec, legends)),
    title: texts.text,
    subtitle: texts.subtitle ?? '',
    caption: captionOf(spec) ?? '',
    description: themed.description,
    labels,
    inPanels: spec.vconcat !== undefined,
  };
}

/** Room for a symbol of a legend and its label, in pixels. */
const LEGEND_COLUMN = 220;
const NARROW = 600;

/** A legend above a narrow chart in several rows, as its canvas would cut a long one off. */
function withNarrowLegends(spec: Part): Part {
  const { width, config } = spec as { width?: unknown; config?: { legend?: object } };
  if (typeof width !== 'number' || width >= NARROW) return spec;
  const columns = Math.max(1, Math.floor(width / LEGEND_COLUMN));
  return { ...spec, config: { ...config, legend: { ...config?.legend, columns } } };
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
