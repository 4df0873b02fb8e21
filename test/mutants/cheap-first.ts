import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tries the file that noticed the mutant before, which lay beside this one, then the fastest: a mutant is done with at the
 * first failure. Vitest itself tries the slowest first.
 */
export class CheapFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
      .map((file) => ({ file, cost: this.#cost(file) }))
      .sort((a, b) => a.cost - b.cost)
      .map(({ file }) => file);
  }

  #cost({ project, moduleId }: TestSpecification): number {
    const last = this.ctx.cache.getFileTestResults(
      `${project.name}:${relative(this.ctx.config.root, moduleId)}`,
    );
    return last?.failed === true ? -1 : (last?.duration ?? 0);
  }
}
