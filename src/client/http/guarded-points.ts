import { CarriedPoints } from '../../contract/points/carried-points.js';
import { untilAborted } from './cancellable.js';
import { brokenAnswer } from './guarded-body.js';

/** How carried points are observed. */
interface PointsWatch {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Called with the size of the values of every batch. */
  onBytes(bytes: number): void;
}

type Batches = ReturnType<CarriedPoints['take']>;

/** Takes points, and guards them as `guardBody` guards the bytes of a body; `release` ends them. */
export function guardPoints(
  carried: CarriedPoints,
  watch: PointsWatch,
): { points: CarriedPoints; release: () => void } {
  const batches = carried.take();
  const release = (): void => void batches.return().catch(() => {});
  return { points: new CarriedPoints(carried.series, guarded(batches, watch)), release };
}

async function* guarded(batches: Batches, { name, signal, onBytes }: PointsWatch): Batches {
  for (;;) {
    const next = await untilAborted(batches.next(), signal).catch((error: unknown) => {
      throw brokenAnswer(error, { name, signal });
    });
    if (next.done === true) return;
    onBytes(next.value.reduce((bytes, { value }) => bytes + value.byteLength, 0));
    yield next.value;
  }
}
