import { NDJSON } from '../contract/wire-names.js';
import { ContractError } from '../model/errors.js';
import type { LongOperation } from '../model/progress.js';
import { type Selection, selectionLists } from '../model/selection.js';
import type { DataSeries } from '../model/series.js';
import { misfit } from './http/answer.js';
import { checkAnswered } from './http/answered-ids.js';
import { loadContract } from './http/contract.js';
import type { Transport } from './http/transport.js';
import { isUnserved } from './newer-operation.js';
import { toQuery } from './query.js';
import { restrictedLists, type SeriesLists } from './series.js';

/** What is kept of each series, of many that pass by. */
export interface SeriesTally {
  add(series: readonly DataSeries[]): void;
}

/** Passing over many series; not part of the public client. */
export interface SeriesScan {
  /**
   * Passes over the series of a selection as they arrive, so that memory is that of the tally and not that of the series.
   * Lists them in one answer where the service has no stream, or a cache is to keep the answer.
   * @param begin an empty tally: a broken answer is asked for again, and counted anew
   */
  scanSeries<Tally extends SeriesTally>(
    selection: Selection,
    begin: () => Tally,
    options?: LongOperation,
  ): Promise<Tally>;
}

/** Series on every line but the last: an answer whose last line is full may lack those that follow. */
const SERIES_PER_LINE = 10_000;

/** The scan, over a transport. */
export function seriesScan(transport: Transport, { listSeries }: SeriesLists): SeriesScan {
  return {
    async scanSeries(selection, begin, options = {}) {
      const streamed = transport.caches
        ? null
        : await streamedTally(transport, selection, { begin, options });
      if (streamed !== null) return streamed;
      const tally = begin();
      const { series } = await listSeries(selection, options);
      tally.add(series);
      report(options, series.length);
      return tally;
    },
  };
}

interface Scanning<Tally> {
  readonly begin: () => Tally;
  readonly options: LongOperation;
}

/** The tally of the streamed series; null where the service has no stream, or may have been cut short between two lines. */
async function streamedTally<Tally extends SeriesTally>(
  transport: Transport,
  selection: Selection,
  { begin, options }: Scanning<Tally>,
): Promise<Tally | null> {
  const call = { query: toQuery(selection), accept: NDJSON, signal: options.signal };
  const lists = restrictedLists(selectionLists(selection));
  try {
    return await transport.read('seriesStream', call, async (response, { moved }) => {
      const tally = begin();
      let [done, last] = [0, 0];
      for await (const series of seriesLines(response)) {
        checkAnswered('seriesStream', series, { lists, moved });
        tally.add(series);
        last = series.length;
        done += last;
        report(options, done);
      }
      return last < SERIES_PER_LINE ? tally : null;
    });
  } catch (error) {
    if (isUnserved(error)) return null;
    throw error;
  }
}

function report({ onProgress }: LongOperation, done: number): void {
  onProgress?.({ label: 'listing series', done, total: null, unit: 'series' });
}

/** The series of each line. @throws ContractError for a line that is no list of series, or is not whole */
async function* seriesLines(response: Response): AsyncGenerator<DataSeries[]> {
  const { readerOf } = await loadContract();
  const reader = readerOf('seriesList');
  for await (const line of linesOf(response)) {
    const result = reader.safeParse({ data: parsedLine(line) });
    if (!result.success) throw misfit('seriesStream', result.error.issues[0]!, 'seriesStream: a line');
    yield (result.data as { data: DataSeries[] }).data;
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    const [first, ...others] = decoder.decode(piece, { stream: true }).split('\n');
    rest.push(first!);
    for (const other of others) {
      yield rest.join('');
      rest = [other];
    }
  }
  const last = rest.join('') + decoder.decode();
  if (last.trim() !== '') yield last;
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    const message = 'seriesStream: a line of the answer is not complete JSON';
    throw new ContractError('seriesStream', message, { cause, damaged: true });
  }
}
