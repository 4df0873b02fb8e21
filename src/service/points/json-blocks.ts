import type { PointColumns } from '../../columns/point-columns.js';
import { type BlockSeries, blockHead, positionalPoint } from '../../contract/series-blocks.js';
import { BlockChecksum } from '../../contract/stream/checksum.js';

/**
 * Encodes points as the JSON list of series blocks, one chunk per batch. Every series has one block, also without points;
 * null stands for a series that is not in the store and has no block.
 */
export async function* encodeJsonBlocks(
  series: readonly (BlockSeries | null)[],
  batches: AsyncIterable<PointColumns>,
): AsyncGenerator<string> {
  const blocks = new BlockWriter(series);
  for await (const columns of batches) yield blocks.write(columns);
  yield blocks.end();
}

class BlockWriter {
  #position = -1;
  #text = '[';
  #checksum: BlockChecksum | null = null;

  readonly #series: readonly (BlockSeries | null)[];

  constructor(series: readonly (BlockSeries | null)[]) {
    this.#series = series;
  }

  write(columns: PointColumns): string {
    for (let i = 0; i < columns.length; i++) {
      if (columns.series[i] === this.#position) this.#text += ',';
      else this.#openUpTo(columns.series[i]!);
      const point = JSON.stringify(positionalPoint(columns, i));
      this.#checksum?.addPoint(point);
      this.#text += point;
    }
    return this.#flush();
  }

  end(): string {
    this.#openUpTo(this.#series.length - 1);
    this.#close();
    this.#text += ']';
    return this.#flush();
  }

  #openUpTo(position: number): void {
    while (this.#position < position) {
      this.#position++;
      const series = this.#series[this.#position];
      if (series === null || series === undefined) continue;
      const isFirst = this.#checksum === null;
      this.#close();
      const head = blockHead(series);
      this.#checksum = new BlockChecksum(head);
      this.#text += `${isFirst ? '' : ','}{"series":${JSON.stringify(head)},"data":[`;
    }
  }

  #close(): void {
    if (this.#checksum !== null) this.#text += `],"checksum":${this.#checksum.value()}}`;
  }

  #flush(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
