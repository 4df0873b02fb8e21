/** Room for a symbol of a legend and its label, in pixels; less for a year. */
const LEGEND_COLUMN = 220;
const YEAR_COLUMN = 80;
const NARROW = 600;

/** What is read of a specification and its layers. */
interface Layered {
  readonly layer?: readonly Layered[] | undefined;
  readonly encoding?: { readonly fill?: unknown } | undefined;
}

/** A legend above a narrow chart in several rows, as its canvas would cut a long one off. */
export function withNarrowLegends<Spec extends Layered>(
  spec: Spec,
  labels: readonly { readonly label: string }[],
): Spec {
  const { width, config } = spec as { width?: unknown; config?: { legend?: object } };
  if (typeof width !== 'number' || width >= NARROW) return spec;
  const texts = [...labels.map(({ label }) => label), ...bandsOf(spec)];
  const isOfYears = texts.every((text) => /^\d{4}$/.test(text));
  const columns = Math.max(1, Math.floor(width / (isOfYears ? YEAR_COLUMN : LEGEND_COLUMN)));
  return { ...spec, config: { ...config, legend: { ...config?.legend, columns } } };
}

/** The names of bands that are filled in colours of their own. */
function bandsOf({ layer = [], encoding }: Layered): string[] {
  const fill = encoding?.fill as { scale?: { domain?: readonly string[] } } | undefined;
  return [...(fill?.scale?.domain ?? []), ...layer.flatMap(bandsOf)];
}
