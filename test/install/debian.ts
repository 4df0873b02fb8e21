import { spawnSync } from 'node:child_process';

/** True when the program runs and ends well. */
export function succeeds(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** Whether the lists of packages were updated: several parts of the gate install packages. */
let isUpdated = false;

/**
 * Installs Debian packages, as root or by a sudo that asks for no password.
 * @returns why that was not possible, or null when they are installed
 */
export function installDebianPackages(packages: readonly string[]): string | null {
  const wanted = packages.join(' ');
  if (!succeeds('apt-get', '--version')) return `install ${wanted} (there is no apt-get to do so)`;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (asRoot.length > 0 && !succeeds('sudo', '-n', 'true')) {
    return `install ${wanted} first: sudo apt-get install --no-install-recommends ${wanted}`;
  }
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  const aptGet = (...args: string[]): boolean => {
    const [program, ...rest] = [...asRoot, 'apt-get', ...wait, ...args];
    console.log(`$ ${program} ${rest.join(' ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return spawnSync(program!, rest, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
  };
  isUpdated ||= aptGet('-qq', 'update');
  const installed = isUpdated && aptGet('-qq', 'install', '-y', '--no-install-recommends', ...packages);
  return installed ? null : `apt-get could not install ${wanted}`;
}
