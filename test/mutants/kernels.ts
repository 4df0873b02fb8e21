import { existsSync } from 'node:fs';

/** Code whose tests are tried with mutants, and those tests: its own, not those that run it in passing. */
export interface Kernel {
  /** What `npm run mutants -- <name>` calls it: its folder in `src`. */
  readonly name: string;
  /** Folders and files of `test`. */
  readonly tests: readonly string[];
}

export const KERNELS: readonly Kernel[] = [
  { name: 'columns', tests: ['columns'] },
  { name: 'compute', tests: ['compute'] },
  { name: 'contract/stream', tests: ['contract/stream'] },
  { name: 'contract/series-stream', tests: ['contract/series-stream'] },
  { name: 'agronomy/degree-days', tests: ['agronomy/degree-days', 'agronomy/iowa-degree-days.test.ts'] },
  { name: 'agronomy/weights', tests: ['agronomy/weights'] },
  { name: 'frame/table', tests: ['frame/table', 'frame/build'] },
  { name: 'frame/build', tests: ['frame/build', 'frame/table'] },
  { name: 'frame/formats/check', tests: ['frame/formats/check'] },
  { name: 'frame/formats/inflate', tests: ['frame/formats/inflate'] },
  { name: 'frame/formats/parquet', tests: ['frame/formats/parquet'] },
  { name: 'frame/formats/xlsx', tests: ['frame/formats/xlsx'] },
  // The test of the published types compiles the sources, which have no types of their own once they are changed.
  { name: 'frame/formats', tests: ['frame/formats/!(danfo-types).test.ts'] },
  { name: 'ingest/reading', tests: ['ingest/reading'] },
];

/** Kernels or parts of them, as the command line names them, that are tried together: by the tests of one kernel. */
export interface Part {
  readonly kernel: Kernel;
  /** Files and folders to change, such as `src/compute/gaps` and `src/columns/bitmap.ts`. */
  readonly paths: readonly string[];
}

/**
 * The parts that names stand for: a kernel (`compute`), a file or folder of one (`compute/gaps`), or all kernels of a room
 * (`frame`). Names that stand for nothing are `unknown`.
 */
export function findParts(names: readonly string[]): { parts: Part[]; unknown: string[] } {
  const pathsOf = new Map<Kernel, string[]>();
  const unknown: string[] = [];
  for (const name of names) {
    const path = name.replace(/^src\//, '').replace(/(\.ts|\/)$/, '');
    const within = KERNELS.find((kernel) => path === kernel.name || path.startsWith(`${kernel.name}/`));
    const below = KERNELS.filter((kernel) => kernel.name.startsWith(`${path}/`));
    const kernels = within ? [within, ...(within.name === path ? below : [])] : below;
    if (kernels.length === 0) unknown.push(name);
    for (const kernel of kernels) {
      const source = `src/${kernel === within ? path : kernel.name}`;
      const file = existsSync(`${source}.ts`) ? `${source}.ts` : source;
      pathsOf.set(kernel, [...(pathsOf.get(kernel) ?? []), file]);
    }
  }
  return { parts: [...pathsOf].map(([kernel, paths]) => ({ kernel, paths })), unknown };
}

/** Kernels in folders of a kernel, whose code it leaves to them. */
export function kernelsWithin({ name }: Kernel): Kernel[] {
  return KERNELS.filter((kernel) => kernel.name.startsWith(`${name}/`));
}

/** Vitest's patterns of a kernel's tests. */
export function testPatterns({ tests }: Kernel): string[] {
  return tests.map((path) => (path.endsWith('.ts') ? `test/${path}` : `test/${path}/**/*.test.ts`));
}
