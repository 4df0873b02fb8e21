import { SHELLS } from '../../src/cli/commands/completion.js';
import { installDebianPackages, succeeds } from './debian.js';

/** Installs the shells that the completion test needs. The test reports those that are missing. */
export function prepareShells(): null {
  const missing = SHELLS.filter((shell) => !succeeds(shell, '-c', 'true'));
  const reason = missing.length === 0 ? null : installDebianPackages(missing);
  if (reason !== null) console.log(reason);
  return null;
}
