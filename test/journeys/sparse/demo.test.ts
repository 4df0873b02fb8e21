import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fetch } from '../../../src/client/sending/send.js';
import { CropframeError } from '../../../src/model/errors.js';
import { someOf } from '../../endurance.js';
import { type DemoService, openDemoService } from '../demo-service.js';
import { remembering } from '../faults.js';
import { jsonOnlyService } from '../json-only-service.js';
import { namesWhatIsMissing } from './agreement.js';
import { type CornSeries, DEMO_OPERATIONS, findCorn } from './demo-operations.js';
import { OMISSIONS, type Omission, sparseService } from './omissions.js';

let demo: DemoService;
let corn: CornSeries;
beforeAll(async () => {
  demo = await openDemoService();
  corn = await findCorn(demo.client());
});
afterAll(() => demo?.close());

/** Omissions of points alone: only they have another form, that a service may refuse. */
const OF_POINTS = OMISSIONS.filter(({ path }) => path.test('/v2/data'));

describe.each([
  { refuseArrow: 'ignore', omissions: OMISSIONS },
  { refuseArrow: 'status 406', omissions: OF_POINTS },
] as const)(
  'a service that leaves out what a client can do without, Arrow: $refuseArrow',
  ({ refuseArrow, omissions }) => {
    let service: Fetch;
    /** The answers of the full service, and the paths that each operation asked. */
    const full = new Map<string, { answer: unknown; paths: string[] }>();
    beforeAll(async () => {
      service = remembering(jsonOnlyService(demo.service, { refuseArrow }));
      for (const [name, operation] of Object.entries(DEMO_OPERATIONS)) {
        const paths: string[] = [];
        const fetch: Fetch = (request) => {
          paths.push(new URL(request.url).pathname);
          return service(request);
        };
        full.set(name, { answer: await operation(demo.client({ fetch }), corn), paths });
      }
    });

    /** @returns the operations that name what is missing; all others have the same figures */
    async function refusing(left: readonly Omission[]): Promise<string[]> {
      const fetch = sparseService(service, left);
      const refused: string[] = [];
      for (const [name, operation] of Object.entries(DEMO_OPERATIONS)) {
        const { answer, paths } = full.get(name)!;
        if (!left.some(({ path }) => paths.some((asked) => path.test(asked)))) continue;
        try {
          expect(await operation(demo.client({ fetch }), corn), name).toEqual(answer);
        } catch (error) {
          if (!(error instanceof CropframeError)) throw error;
          expect(namesWhatIsMissing(error, left), `${name}: ${error.message}`).toBe(true);
          refused.push(name);
        }
      }
      return refused;
    }

    it.each(someOf(omissions, 24))(
      '$field $how: the same figures, or an error that names what is missing',
      async (one) => {
        const refused = await refusing([one]);
        expect(refused.filter((name) => !mayRefuse(one).includes(name))).toEqual([]);
      },
    );

    it('all of them: the same figures, or an error that names one', async () => {
      const all = omissions.filter(({ how, field }) => how === 'away' && !NEEDED.includes(field));
      const refused = await refusing(all);
      expect(refused.filter((name) => !all.some((one) => mayRefuse(one).includes(name)))).toEqual([]);
    });
  },
);

/** What tells the series of one answer apart, and the last text that a unit without a name has. */
const NEEDED = [
  ...['metricId', 'itemId', 'regionId', 'partnerRegionId', 'frequencyId', 'sourceId'],
  'abbreviation',
];

/** The operations that cannot do without a field, or with another type in its place. */
function mayRefuse({ path, field, how }: Omission): readonly string[] {
  const odd = how === 'odd';
  if (path.test('/v2/units')) return WITHOUT_FIELD[field] ?? [];
  if (path.test('/v2/geocentres') && field === 'geojson') return ['getGeojson'];
  if (!path.test('/v2/data')) return [];
  if (field.endsWith('Id') && field !== 'unitId' && odd) return OF_ANY_POINTS;
  return field === '3' || field === '4' ? [...NEED_UNITS, 'getDataPoints in a unit'] : [];
}

const WITHOUT_FACTOR = ['getDataPoints in a unit'];
const WITHOUT_FIELD: Readonly<Record<string, readonly string[]>> = {
  factor: WITHOUT_FACTOR,
  baseConvFactor: WITHOUT_FACTOR,
  name: ['computeWeights', 'growingDegreeDays'],
  level: ['getProvinces'],
  historical: ['getDescendantRegions'],
};
const NEED_UNITS = ['computeWeights', 'computeCropWeightedSeries', 'computeGdd', 'growingDegreeDays'];
const OF_ANY_POINTS = Object.keys(DEMO_OPERATIONS)
  .filter((name) => /Points|Df/.test(name))
  .concat(NEED_UNITS);
