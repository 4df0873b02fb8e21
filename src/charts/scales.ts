/** A linear map from data to pixels. */
export type Scale = (value: number) => number;

export function linearScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const factor = (range[1] - range[0]) / (domain[1] - domain[0] || 1);
  return (value) => range[0] + (value - domain[0]) * factor;
}

/** Multiples of 1, 2 or 5 × a power of ten that enclose the values, in about `wanted` intervals. */
export function niceTicks(low: number, high: number, wanted: number): number[] {
  const span = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / wanted));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power * wanted * 1.3 >= span) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** A number with as many decimals as the step needs, and thousands separators. */
export function tickText(value: number, step: number): string {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/**
 * Spreads heights within the bounds so that neighbours are at least `gap` apart, each as near as possible to the wished
 * one; returned in the order of the input. When there are too many, they are spaced evenly.
 */
export function spreadHeights(
  wished: readonly number[],
  gap: number,
  bounds: readonly [number, number],
): number[] {
  const order = wished.map((_, i) => i).sort((a, b) => wished[a]! - wished[b]!);
  const available = bounds[1] - bounds[0];
  const step = Math.min(gap, order.length > 1 ? available / (order.length - 1) : gap);
  const placed = mergeClusters(
    order.map((i) => wished[i]!),
    step,
    bounds,
  );
  const spread = new Array<number>(wished.length);
  order.forEach((i, rank) => {
    spread[i] = placed[rank]!;
  });
  return spread;
}

/** Merges neighbours that are too close into clusters, each centred on the mean of its members' wishes. */
function mergeClusters(
  sorted: readonly number[],
  step: number,
  [low, high]: readonly [number, number],
): number[] {
  const clusters: { members: number[]; top: number }[] = [];
  for (const wish of sorted) {
    let cluster = centreCluster([wish], step, [low, high]);
    for (
      let before = clusters.at(-1);
      before && bottomOf(before, step) + step > cluster.top;
      before = clusters.at(-1)
    ) {
      cluster = centreCluster([...before.members, ...cluster.members], step, [low, high]);
      clusters.pop();
    }
    clusters.push(cluster);
  }
  return clusters.flatMap(({ members, top }) => members.map((_, i) => top + i * step));
}

function bottomOf({ members, top }: { members: number[]; top: number }, step: number): number {
  return top + (members.length - 1) * step;
}

function centreCluster(
  members: number[],
  step: number,
  [low, high]: readonly [number, number],
): { members: number[]; top: number } {
  const length = (members.length - 1) * step;
  const middle = members.reduce((sum, wish) => sum + wish, 0) / members.length;
  return { members, top: Math.max(low, Math.min(high - length, middle - length / 2)) };
}
