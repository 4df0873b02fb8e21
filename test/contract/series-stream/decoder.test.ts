import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { decodeSeriesStream } from '../../../src/contract/series-stream/decoder.js';
import type { SeriesStreamHead } from '../../../src/contract/series-stream/layout.js';
import { MessageSealer } from '../../../src/contract/series-stream/sealed-messages.js';
import { ContractError } from '../../../src/model/errors.js';
import { countRuns } from '../../endurance.js';
import { anyLists, encoded, headOf, inPieces, rowsOf } from './points.js';

/** Three messages with points, which need every column. */
const { count, lists } = richSample();
const HEAD = headOf(count);
const ROWS = lists.flatMap(rowsOf);

/** Of the positions of bytes, which endurance tries all; it is odd, so that every place of a word is tried. */
const STRIDE = countRuns({ quick: 13, all: 1 });

let bytes: Uint8Array<ArrayBuffer>;
let messages: Uint8Array[];
beforeEach(async () => {
  bytes = await encodedApart(HEAD, lists);
  messages = splitMessages(bytes);
});

function richSample(): { count: number; lists: PackedPoints[][] } {
  const all = fc.sample(anyLists, { numRuns: 200, seed: 14 });
  return all.find((one) => one.count > 5 && one.lists.filter((list) => list.length > 1).length > 2)!;
}

/** A stream with a message for each list: the encoder would join lists as short as these. */
async function encodedApart(
  head: SeriesStreamHead,
  lists: readonly (readonly PackedPoints[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const streams = await Promise.all(
    lists.filter((list) => list.length > 0).map(async (list) => splitMessages(await encoded(head, [list]))),
  );
  const [schema, , ...end] = splitMessages(await encoded(head, lists));
  return resealed([schema!, ...streams.map(([, points]) => points!), ...end]);
}

/** What arrives of a stream, and the error that ends it. */
async function arrival(body: ReadableStream<Uint8Array>): Promise<{ rows: string[]; error: unknown }> {
  const rows: string[] = [];
  try {
    const { series, batches } = await decodeSeriesStream(body, 'points');
    expect(series).toEqual(HEAD.series);
    for await (const batch of batches) rows.push(...rowsOf(batch));
    return { rows, error: null };
  } catch (error) {
    return { rows, error };
  }
}

/** No point that arrives is another one, and the stream ends whole or with a ContractError. */
async function expectNoWrongPoint(damaged: Uint8Array, what: string, size = 4096): Promise<unknown> {
  const { rows, error } = await arrival(inPieces(damaged, size));
  expect(rows, what).toEqual(ROWS.slice(0, rows.length));
  if (error === null) expect(rows.length, what).toBe(ROWS.length);
  else expect(error, what).toBeInstanceOf(ContractError);
  return error;
}

function splitMessages(stream: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at < stream.length; ) {
    const view = new DataView(stream.buffer, stream.byteOffset + at);
    const length = view.getInt32(4, true);
    const end = at + 8 + length + (length === 0 ? 0 : bodyLength(stream.subarray(at + 8, at + 8 + length)));
    found.push(stream.slice(at, end));
    at = end;
  }
  return found;
}

function bodyLength(metadata: Uint8Array): number {
  const view = new DataView(metadata.buffer, metadata.byteOffset);
  const table = view.getUint32(0, true);
  const vtable = table - view.getInt32(table, true);
  const field = view.getUint16(vtable, true) > 10 ? view.getUint16(vtable + 10, true) : 0;
  return field === 0 ? 0 : Number(view.getBigInt64(table + field, true));
}

/** The same messages with the checksums that they should have: those of a service that sends them on purpose. */
function resealed(messages: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const sealer = new MessageSealer();
  const parts = messages.flatMap((message) => {
    const length = new DataView(message.buffer, message.byteOffset).getInt32(4, true);
    if (length === 0) return [message];
    const body = message.subarray(8 + length);
    return [sealer.seal(message.subarray(8, length), [body]), body];
  });
  return new Uint8Array(Buffer.concat(parts));
}

describe('a damaged stream by series never yields a wrong point', () => {
  it('whichever bit flips', async () => {
    expect(messages.length).toBeGreaterThan(5);
    for (let at = 0; at < bytes.length; at += STRIDE) {
      const damaged = bytes.slice();
      damaged[at]! ^= 1 << ((at * 5) % 8);
      const error = await expectNoWrongPoint(damaged, `a bit of byte ${at}`);
      expect(error, `a bit of byte ${at}`).toBeInstanceOf(ContractError);
    }
  }, 120_000);

  it('whatever is written over it', async () => {
    const anyDamage = fc.record({
      at: fc.nat(bytes.length - 1),
      over: fc.uint8Array({ minLength: 1, maxLength: 64 }),
      again: fc.nat(bytes.length - 1),
    });
    await fc.assert(
      fc.asyncProperty(anyDamage, async ({ at, over, again }) => {
        const damaged = bytes.slice();
        damaged.set(over.subarray(0, damaged.length - at), at);
        damaged[again]! ^= over[0]!;
        await expectNoWrongPoint(damaged, `${over} at ${at}, and ${again}`);
      }),
      { numRuns: 1000 },
    );
  }, 120_000);

  it('wherever it is truncated, or bytes are missing', async () => {
    for (let end = 0; end < bytes.length; end += STRIDE) {
      const error = await expectNoWrongPoint(bytes.slice(0, end), `truncated at ${end}`);
      expect(error, `truncated at ${end}`).toMatchObject({ damaged: true });
      const rest = Buffer.concat([bytes.subarray(0, end), bytes.subarray(end + 1 + (end % 64))]);
      await expectNoWrongPoint(rest, `bytes missing at ${end}`);
    }
  }, 120_000);

  it('when messages are lost, repeated or exchanged', async () => {
    for (let i = 0; i < messages.length; i++) {
      const without = messages.filter((_, at) => at !== i);
      const repeated = messages.flatMap((message, at) => (at === i ? [message, message] : [message]));
      expect(await expectNoWrongPoint(Buffer.concat(without), `without ${i}`)).toBeInstanceOf(ContractError);
      const again = await expectNoWrongPoint(Buffer.concat(repeated), `${i} repeated`);
      if (i < messages.length - 1) expect(again, `${i} repeated`).toBeInstanceOf(ContractError);
      for (let j = i + 1; j < messages.length; j++) {
        const exchanged = messages.with(i, messages[j]!).with(j, messages[i]!);
        const error = await expectNoWrongPoint(Buffer.concat(exchanged), `${i} and ${j} exchanged`);
        expect(error, `${i} and ${j} exchanged`).toBeInstanceOf(ContractError);
      }
    }
  });

  it('when messages of another answer about the same series get into it', async () => {
    const others = lists.map((list) =>
      list.map((run) => ({ ...run, value: run.value.map((one) => one + 1) })),
    );
    const other = splitMessages(await encodedApart(headOf(count, 'another'), others));
    expect(other.length).toBe(messages.length);
    const otherRows = others.flatMap(rowsOf);
    for (let i = 0; i < messages.length - 1; i++) {
      for (let to = i + 1; to < messages.length - 1; to++) {
        const mixed = [...messages.slice(0, i), ...other.slice(i, to), ...messages.slice(to)];
        const { rows, error } = await arrival(inPieces(Buffer.concat(mixed), 999));
        expect(error, `messages ${i} to ${to}`).toBeInstanceOf(ContractError);
        expect(rows, `messages ${i} to ${to}`).toEqual((i === 0 ? otherRows : ROWS).slice(0, rows.length));
      }
    }
  });
});

describe('a hostile stream by series', () => {
  it('ends in a ContractError, whatever its metadata say', async () => {
    let refused = 0;
    const anyChange = fc.record({
      message: fc.nat(messages.length - 2),
      at: fc.nat(),
      value: fc.constantFrom(0, 1, 7, 255, 65_535, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff),
      width: fc.constantFrom(1, 2, 4),
      inBody: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(anyChange, async ({ message, at, value, width, inBody }) => {
        const changed = messages.map((one) => one.slice());
        const target = changed[message]!;
        const metadata = new DataView(target.buffer).getInt32(4, true);
        const [from, length] = inBody ? [8 + metadata, target.length - 8 - metadata] : [8, metadata - 8];
        if (length < 8) return;
        const position = from + ((at % (length - 4)) & -width);
        for (let byte = 0; byte < width; byte++) target[position + byte] = value >>> (8 * byte);
        const { error } = await arrival(inPieces(resealed(changed), 4096)).catch(() => ({ error: null }));
        if (error === null) return;
        expect(error).toBeInstanceOf(ContractError);
        refused++;
      }),
      { numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(5);
  }, 120_000);

  it('takes no more memory than about twice what it has sent', async () => {
    const prefix = messages[0]!.slice(0, 8);
    new DataView(prefix.buffer).setInt32(4, 60_000_000, true);
    for (const sent of [0, 1_200_000]) {
      const pieces = [prefix, new Uint8Array(sent)];
      const before = process.memoryUsage().arrayBuffers;
      let during = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const piece = pieces.shift();
            if (piece === undefined) controller.close();
            else controller.enqueue(piece);
            during = process.memoryUsage().arrayBuffers;
          },
        },
        { highWaterMark: 0 },
      );
      await expect(decodeSeriesStream(body, 'points')).rejects.toMatchObject({ damaged: true });
      expect(during - before, `after ${sent} bytes`).toBeLessThan(8_000_000);
    }
  });

  it('is refused by its type of columns', async () => {
    const name = Buffer.from('start_step_ms');
    const changed = messages[0]!.slice();
    changed.set(Buffer.from('start_step_us'), Buffer.from(changed).indexOf(name));
    const { error } = await arrival(inPieces(resealed([changed, ...messages.slice(1)]), 4096));
    expect(error).toMatchObject({
      message: 'points: the point stream cannot be read: its columns are not those of a stream by series',
    });
  });
});
