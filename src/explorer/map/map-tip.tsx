import { formatNumber, formatPeriod } from '../controls/format.js';
import type { MapPlace } from './map-data.js';
import type { PlacedValue } from './map-values.js';

export interface Spark {
  readonly end: Float64Array;
  readonly start: Float64Array;
  readonly value: Float64Array;
  readonly atMs: number;
}

const WIDTH = 180;
const HEIGHT = 36;

/** Renders a tooltip with a region's name and value, and a sparkline of all its values. */
export function MapTip({
  value: { region, value, isOlder },
  unit,
  spark,
}: {
  value: PlacedValue<MapPlace>;
  unit: string;
  spark?: Spark | undefined;
}) {
  const row = spark?.end.indexOf(spark.atMs) ?? -1;
  return (
    <>
      <strong>{region.name}</strong>
      <br />
      {formatNumber(value)} {value === null ? '' : unit}
      {isOlder && ' (from an earlier date)'}
      {spark !== undefined && row >= 0 && (
        <span class="quiet-text"> · {formatPeriod(spark.start[row]!, spark.end[row]!)}</span>
      )}
      {spark !== undefined && spark.value.length > 1 && <Sparkline {...spark} />}
    </>
  );
}

function Sparkline({ end, value, atMs }: Spark) {
  const [from, to] = [end[0]!, end.at(-1)!];
  const known = value.filter((one) => !Number.isNaN(one));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (ms: number) => 3 + ((WIDTH - 6) * (ms - from)) / (to - from || 1);
  const y = (one: number) => HEIGHT - 4 - ((HEIGHT - 8) * (one - low)) / (high - low || 1);
  const points = Array.from(value, (one, at) =>
    Number.isNaN(one) ? null : ([x(end[at]!), y(one)] as const),
  );
  // A missing value breaks the line.
  const path = points
    .map((point, at) =>
      point === null ? '' : `${at === 0 || points[at - 1] === null ? 'M' : 'L'}${point.join(' ')}`,
    )
    .join('');
  const here = points[end.indexOf(atMs)];
  return (
    <svg class="spark" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path d={path} />
      {here != null && <circle cx={here[0]} cy={here[1]} r={3} />}
    </svg>
  );
}
