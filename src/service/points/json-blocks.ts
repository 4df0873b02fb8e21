import type { PackedPoints } from '../../columns/packed-points.js';
import { type BlockSeries, blockHead, positionalPoint } from '../../contract/series-blocks.js';

/** Length of a chunk, of about a thousand points: it takes a few milliseconds to encode. */
const MIN_CHUNK_LENGTH = 65_536;

/**
 * Encodes points as the JSON list of series blocks, in chunks of about 64 KiB. Every series has one block, also without
 * points; null stands for a series that is not in the store and has no block.
 */
export async function* encodeJsonBlocks(
  series: readonly (BlockSeries | null)[],
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<string> {
  const blocks = new BlockWriter(series);
  for await (const list of lists) for (const run of list) yield* blocks.write(run);
  yield* blocks.end();
}

class BlockWriter {
  #position = -1;
  #text = '[';
  #isOpen = false;

  readonly #series: readonly (BlockSeries | null)[];

  constructor(series: readonly (BlockSeries | null)[]) {
    this.#series = series;
  }

  *write(run: PackedPoints): Generator<string> {
    for (let i = 0; i < run.length; i++) {
      if (run.series === this.#position) this.#text += ',';
      else yield* this.#openUpTo(run.series);
      this.#text += JSON.stringify(positionalPoint(run, i));
      yield* this.#flush(MIN_CHUNK_LENGTH);
    }
  }

  *end(): Generator<string> {
    yield* this.#openUpTo(this.#series.length - 1);
    this.#text += this.#isOpen ? ']}]' : ']';
    yield* this.#flush();
  }

  *#openUpTo(position: number): Generator<string> {
    while (this.#position < position) {
      this.#position++;
      const series = this.#series[this.#position];
      if (series === null || series === undefined) continue;
      this.#text += `${this.#isOpen ? ']},' : ''}{"series":${JSON.stringify(blockHead(series))},"data":[`;
      this.#isOpen = true;
      yield* this.#flush(MIN_CHUNK_LENGTH);
    }
  }

  *#flush(minLength = 1): Generator<string> {
    if (this.#text.length < minLength) return;
    const text = this.#text;
    this.#text = '';
    yield text;
  }
}
