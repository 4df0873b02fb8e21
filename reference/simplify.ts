import type { Topology } from 'topojson-specification';

type Position = readonly number[];

/**
 * Simplifies a topology arc by arc (Douglas and Peucker 1973), so that neighbours keep their common borders. `tolerance`
 * is in the topology's coordinates (degrees). The ends of an arc never move, and a closed arc keeps at least four
 * positions.
 */
export function simplifyTopology<T extends Topology>(topology: T, tolerance: number): T {
  const { transform: _absolute, ...rest } = topology;
  const arcs = topology.arcs.map((arc) => simplifyArc(absoluteArc(arc, topology), tolerance));
  return { ...rest, arcs } as unknown as T;
}

function absoluteArc(arc: readonly Position[], { transform }: Topology): Position[] {
  if (transform === undefined) return [...arc];
  const { scale, translate } = transform;
  let x = 0;
  let y = 0;
  return arc.map((delta) => {
    x += delta[0]!;
    y += delta[1]!;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

function simplifyArc(arc: Position[], tolerance: number): number[][] {
  const last = arc.length - 1;
  const closed = arc[0]![0] === arc[last]![0] && arc[0]![1] === arc[last]![1];
  const keep = new Uint8Array(arc.length);
  keep[0] = keep[last] = 1;
  if (closed) for (const part of [1, 2]) keep[Math.round((last * part) / 3)] = 1;
  const anchors = arc.map((_, i) => i).filter((i) => keep[i] === 1);
  for (let i = 1; i < anchors.length; i++)
    markKeptPositions(arc, { first: anchors[i - 1]!, last: anchors[i]! }, tolerance, keep);
  return arc.filter((_, i) => keep[i] === 1).map((position) => [...position]);
}

function markKeptPositions(
  arc: Position[],
  range: { first: number; last: number },
  tolerance: number,
  keep: Uint8Array,
): void {
  const stack = [range];
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    const { first, last } = span;
    let farthest = -1;
    let distance = tolerance;
    for (let i = first + 1; i < last; i++) {
      const d = distanceToSegment(arc[i]!, arc[first]!, arc[last]!);
      if (d > distance) [farthest, distance] = [i, d];
    }
    if (farthest < 0) continue;
    keep[farthest] = 1;
    stack.push({ first, last: farthest }, { first: farthest, last });
  }
}

function distanceToSegment(point: Position, from: Position, to: Position): number {
  const dx = to[0]! - from[0]!;
  const dy = to[1]! - from[1]!;
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : ((point[0]! - from[0]!) * dx + (point[1]! - from[1]!) * dy) / length2;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(point[0]! - from[0]! - t * dx, point[1]! - from[1]! - t * dy);
}
