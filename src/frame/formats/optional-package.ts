import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Loads a package that is installed only where somebody needs it: from the project of the working directory, else from the
 * project that cropframe is installed in. Undefined when it is in neither.
 * @param directories folders to resolve it from first
 */
export function loadOptional(name: string, directories: readonly string[] = []): unknown {
  for (const from of [...directories, process.cwd()]
    .map((path) => `${pathToFileURL(path)}/`)
    .concat(import.meta.url)) {
    const require = createRequire(from);
    let path: string;
    try {
      path = require.resolve(name);
    } catch {
      continue;
    }
    return require(path);
  }
  return undefined;
}
