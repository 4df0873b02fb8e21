import { IngestError } from '../../model/errors.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import { ADDRESSES, FetchRequestError, inFolder, type PlannedFile, words } from '../fetching/requests.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { type InputText, openInput } from '../reading/input-files.js';
import { type LineBlock, readLineBlocks, splitLines } from '../reading/line-blocks.js';
import { describeFirstLine, peekText } from '../reading/peek.js';
import { type ReadingProgress, readTexts } from '../reading/tables.js';
import { readTextRows } from '../reading/text-rows.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionLocator } from '../regions/locate.js';
import { SOURCES } from '../vocabulary/sources.js';
import type { Station } from '../weather/ghcn.js';
import { BY_YEAR_LINE, DAYS, DLY_LINE, Observations } from './observations.js';

const DATASET = 'ghcnd';

/**
 * NOAA GHCN-Daily: station files (`.dly`), files by year (CSV) and the station list (`ghcnd-stations.txt`), in any
 * order; without the list, stations have no name and no location. Values that failed a quality check are null, with the
 * check and the value in the metadata, unless `keepFlagged` is set. Days are those of the observers.
 */
export const ghcnd: Importer = {
  dataset: DATASET,
  summary: 'NOAA GHCN-Daily: station files (.dly), files by year (.csv.gz), with ghcnd-stations.txt',
  needsFiles: true,
  counts: 'values',
  recognises: (beginning) => [DLY_LINE, BY_YEAR_LINE, STATION_LINE].some((line) => line.test(beginning)),
  fetch: { takes: 'ids of stations, or years, such as USC00130200', find: findStations },
  read: readGhcnd,
};

async function* readGhcnd(input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { files, importedMs, settings, signal } = input;
  yield* readReferenceData([SOURCES.ghcnDaily]);
  const locator = await loadRegionLocator();
  const batch = await BatchBuilder.create(input);
  const { stations, lists } = await readStationLists(files, signal);
  const keepFlagged = settings?.keepFlagged ?? false;
  const observations = new Observations({ batch, locator, stations, importedMs, keepFlagged });
  const others = files.filter((file) => !lists.has(file));
  yield* readTexts({ dataset: DATASET, files: others, signal }, batch, (text, progress) =>
    readObservations(text, { dataset: DATASET, signal, batch, observations, progress }),
  );
}

/** Reads the station lists among the files before all other files, which need them. */
async function readStationLists(
  files: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ stations: Map<string, Station>; lists: Set<string> }> {
  const stations = new Map<string, Station>();
  const lists = new Set<string>();
  for (const file of files) {
    for await (const text of openInput(file, { dataset: DATASET, signal })) {
      const peeked = await peekText(text.chunks);
      if (!STATION_LINE.test(peeked.sample.split(/\r?\n/)[0]!)) break;
      lists.add(file);
      for (const [id, station] of await readStationList({ ...text, chunks: peeked.chunks }, DATASET))
        stations.set(id, station);
    }
  }
  return { stations, lists };
}

interface ReadJob extends Pick<ImporterInput, 'signal'> {
  readonly dataset: string;
  readonly batch: BatchBuilder;
  readonly observations: Observations;
  readonly progress: ReadingProgress;
}

async function* readObservations(text: InputText, job: ReadJob): AsyncGenerator<ImportBatch | undefined> {
  const { name } = text;
  const peeked = await peekText(text.chunks);
  if (DLY_LINE.test(peeked.head)) return yield* readStationFile({ ...text, chunks: peeked.chunks }, job);
  if (BY_YEAR_LINE.test(peeked.head))
    return yield* readTextRows(
      { ...text, chunks: peeked.chunks },
      { form: YEAR_FORM, plan: job.observations.dayPlan },
      job,
    );
  const message = `${name} is not a .dly file, a file by year, or a station list of GHCN-Daily`;
  throw new IngestError(DATASET, `${message}: ${describeFirstLine(peeked.head)}`, { file: name, row: 1 });
}

async function* readStationFile({ name, chunks }: InputText, job: ReadJob): AsyncGenerator<undefined> {
  const { batch, observations } = job;
  for await (const block of readLineBlocks(chunks)) {
    for (const { text, line } of splitLines(block)) {
      if (text === '') continue;
      job.progress.rows++;
      batch.addRow({ file: name, line, values: DAYS, text: () => text }, (skip) =>
        observations.addMonth(text, skip),
      );
      if (batch.isFull) yield undefined;
    }
  }
}

/** Station, date, element, value, three flags and the time of the observation. */
const YEAR_FORM = { delimiter: ',', quotes: false, skip: 0, columns: 8 };

/** Stations and files by year, with the list of stations: without it, stations would lose their names. */
function findStations(request: string): PlannedFile[] {
  const files = words(request).map((word): PlannedFile => {
    const id = word.toUpperCase();
    if (/^[A-Z]{2}[A-Z0-9_-]{9}$/.test(id)) return inFolder(`${ADDRESSES.ghcndFolder}all/`, `${id}.dly`);
    if (/^(1[789]|20)\d\d$/.test(id)) return inFolder(`${ADDRESSES.ghcndFolder}by_year/`, `${id}.csv.gz`);
    throw new FetchRequestError(`"${word}" is neither the id of a station, such as USC00130200, nor a year`);
  });
  return [{ ...inFolder(ADDRESSES.ghcndFolder, 'ghcnd-stations.txt'), isCompanion: true }, ...files];
}

/** A line of `ghcnd-stations.txt`: id, latitude, longitude and elevation in fixed columns. */
const STATION_LINE =
  /^[A-Z]{2}[A-Z0-9_-]{9} [ -]{0,3}\d{1,2}\.\d{4} [ -]{0,4}\d{1,3}\.\d{4} [ -]{0,5}\d+\.\d/;

/**
 * Reads the stations of a list, by id (NOAA, readme of GHCN-Daily, section IV: columns 1–11 id, 13–20 latitude, 22–30
 * longitude, 39–40 state, 42–71 name).
 * @throws IngestError that names the first invalid line
 */
async function readStationList(text: InputText, dataset: string): Promise<Map<string, Station>> {
  const stations = new Map<string, Station>();
  for await (const block of readLineBlocks(text.chunks))
    addStations(block, { stations, dataset, file: text.name });
  return stations;
}

function addStations(
  block: LineBlock,
  { stations, dataset, file }: { stations: Map<string, Station>; dataset: string; file: string },
): void {
  for (const { text, line } of splitLines(block)) {
    if (text.trim() === '') continue;
    if (!STATION_LINE.test(text)) {
      throw new IngestError(dataset, `${file}, line ${line}: not a line of a station list`, {
        file,
        row: line,
      });
    }
    const id = text.slice(0, 11);
    stations.set(id, {
      id,
      name: text.slice(41, 71).trim(),
      latitude: Number(text.slice(12, 20)),
      longitude: Number(text.slice(21, 30)),
      state: text.slice(38, 40).trim(),
    });
  }
}
