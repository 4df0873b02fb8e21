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
  { name: 'frame/formats', tests: ['frame/formats'] },
  { name: 'ingest/reading', tests: ['ingest/reading'] },
];

/** A kernel or a part of one, as the command line names it. */
export interface Part {
  readonly kernel: Kernel;
  /** Patterns of the files to change. */
  readonly mutate: readonly string[];
}

/**
 * The parts that a name stands for: a kernel (`compute`), a file or folder of one (`compute/gaps`), or all kernels of a
 * room (`frame`).
 */
export function findParts(name: string): Part[] {
  const path = name.replace(/^src\//, '').replace(/(\.ts|\/)$/, '');
  const within = KERNELS.find((kernel) => path === kernel.name || path.startsWith(`${kernel.name}/`));
  if (within !== undefined) {
    const mutate = [existsSync(`src/${path}.ts`) ? `src/${path}.ts` : `src/${path}/**/*.ts`];
    return [{ kernel: within, mutate }];
  }
  return KERNELS.filter((kernel) => kernel.name.startsWith(`${path}/`)).map((kernel) => ({
    kernel,
    mutate: [`src/${kernel.name}/**/*.ts`],
  }));
}

/** Vitest's patterns of a kernel's tests. */
export function testPatterns({ tests }: Kernel): string[] {
  return tests.map((path) => (path.endsWith('.ts') ? `test/${path}` : `test/${path}/**/*.test.ts`));
}
