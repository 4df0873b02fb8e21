import type { LongOperation } from '../../model/progress.js';

/** Bytes after which a long answer tells of itself, though nothing of it is whole. */
const BYTES_BETWEEN_REPORTS = 262_144;

/** Counts what a fetch brings and tells of it: how many of what, rows, bytes, and bytes a second. */
export class FetchProgress {
  #done = 0;
  #rows = 0;
  #bytes = 0;
  #toldBytes = 0;
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

  /** One of the whole is there. */
  arrived(rows: number): void {
    this.#done++;
    this.#rows += rows;
    this.#tell();
  }

  received(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes - this.#toldBytes >= BYTES_BETWEEN_REPORTS) this.#tell();
  }

  #tell(): void {
    this.#toldBytes = this.#bytes;
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
