import type { LongOperation } from '../../model/progress.js';

/** Bytes after which progress is reported though no unit of work is complete. */
const BYTES_BETWEEN_REPORTS = 262_144;

/** Reports the progress of a retrieval: units of work, rows, bytes, and bytes a second. */
export class FetchProgress {
  #done = 0;
  #rows = 0;
  #bytes = 0;
  #reportedBytes = 0;
  readonly #startedAt = performance.now();

  readonly #label: string;
  readonly #options: {
    readonly total: number;
    readonly unit: string;
    readonly onProgress?: LongOperation['onProgress'];
  };

  constructor(
    label: string,
    options: {
      readonly total: number;
      readonly unit: string;
      readonly onProgress?: LongOperation['onProgress'] | undefined;
    },
  ) {
    this.#label = label;
    this.#options = options;
  }

  /** Call it for each complete unit of work. */
  arrived(rows: number): void {
    this.#done++;
    this.#rows += rows;
    this.#report();
  }

  received(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes - this.#reportedBytes >= BYTES_BETWEEN_REPORTS) this.#report();
  }

  #report(): void {
    this.#reportedBytes = this.#bytes;
    const { total, unit, onProgress } = this.#options;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    onProgress?.({
      label: this.#label,
      done: this.#done,
      total,
      unit,
      rows: this.#rows,
      bytes: this.#bytes,
      bytesPerSecond: seconds > 0 ? Math.round(this.#bytes / seconds) : 0,
    });
  }
}
