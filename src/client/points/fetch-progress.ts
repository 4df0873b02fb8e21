import type { LongOperation } from '../../model/progress.js';

/** The number of received bytes after which progress is reported even if no further unit of work is complete. */
const BYTES_BETWEEN_REPORTS = 262_144;

interface Reported {
  readonly label: string;
  readonly total: number;
  readonly unit: string;
  readonly onProgress?: LongOperation['onProgress'];
}

export function fetchProgress({ onProgress, ...named }: Reported) {
  const startedAt = performance.now();
  let [done, rows, bytes, reportedBytes] = [0, 0, 0, 0];
  const report = (): void => {
    reportedBytes = bytes;
    const seconds = (performance.now() - startedAt) / 1000;
    const bytesPerSecond = seconds > 0 ? Math.round(bytes / seconds) : 0;
    onProgress?.({ ...named, done, rows, bytes, bytesPerSecond });
  };
  return {
    arrived(more: number): void {
      done = Math.min(done + 1, named.total);
      rows += more;
      report();
    },
    received(more: number): void {
      bytes += more;
      if (bytes - reportedBytes >= BYTES_BETWEEN_REPORTS) report();
    },
  };
}
