import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simplifyTopology } from '../../reference/simplify.js';

const topology = (arcs: number[][][]) => ({ type: 'Topology' as const, objects: {}, arcs });
const position = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
);

function distance([x, y]: number[], [x0, y0]: number[], [x1, y1]: number[]): number {
  const [dx, dy] = [x1! - x0!, y1! - y0!];
  const length2 = dx * dx + dy * dy;
  const t = length2 === 0 ? 0 : Math.max(0, Math.min(1, ((x! - x0!) * dx + (y! - y0!) * dy) / length2));
  return Math.hypot(x! - x0! - t * dx, y! - y0! - t * dy);
}

describe('simplifyTopology', () => {
  it('keeps the ends, only removes positions, and stays within the tolerance', () => {
    const arcs = fc.array(position, { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(arcs, fc.double({ min: 0, max: 30, noNaN: true }), (arc, tolerance) => {
        const [simple] = simplifyTopology(topology([arc]), tolerance).arcs as number[][][];
        expect([simple![0], simple!.at(-1)]).toEqual([arc[0], arc.at(-1)]);
        let at = 0;
        for (const dropped of arc) {
          if (
            simple![at + 1] !== undefined &&
            dropped[0] === simple![at + 1]![0] &&
            dropped[1] === simple![at + 1]![1]
          )
            at++;
          const near = simple!
            .slice(1)
            .some((_, i) => distance(dropped, simple![i]!, simple![i + 1]!) <= tolerance + 1e-9);
          expect(near).toBe(true);
        }
      }),
    );
  });

  it('keeps four positions of a closed arc, so that an island keeps an area', () => {
    const circle = Array.from({ length: 61 }, (_, i) => [Math.cos((i % 60) * 6), Math.sin((i % 60) * 6)]);
    const [simple] = simplifyTopology(topology([circle]), 100).arcs;
    expect(simple).toHaveLength(4);
    expect(simple![0]).toEqual(simple!.at(-1));
  });

  it('removes the quantisation of the atlas', () => {
    const quantised = {
      ...topology([
        [
          [1, 1],
          [2, 0],
          [0, 3],
        ],
      ]),
      transform: { scale: [0.5, 2], translate: [10, 20] },
    };
    expect(simplifyTopology(quantised as unknown as ReturnType<typeof topology>, 0).arcs).toEqual([
      [
        [10.5, 22],
        [11.5, 22],
        [11.5, 28],
      ],
    ]);
  });
});
