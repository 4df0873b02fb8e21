import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a step with a folder on a disk of its own that has this many KiB: a tmpfs, which only root of Linux may mount. */
export async function withSmallDisk<Result>(
  kibibytes: number,
  step: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-disk-'));
  try {
    mount(folder, kibibytes);
    try {
      return await step(folder);
    } finally {
      execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' });
    }
  } finally {
    rmdirSync(folder);
  }
}

/** Why small disks cannot be mounted here; null where they can. */
export const noSmallDisk = await withSmallDisk(64, async () => null).catch(
  (error: { stderr?: Buffer; message: string }) => String(error.stderr ?? error.message).trim(),
);

function mount(folder: string, kibibytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder], { stdio: 'pipe' });
}
