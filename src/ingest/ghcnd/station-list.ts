import { IngestError } from '../../model/errors.js';
import type { InputText } from '../reading/input-files.js';
import { type LineBlock, readLineBlocks, splitLines } from '../reading/line-blocks.js';
import type { Station } from '../weather/ghcn.js';

/** A line of `ghcnd-stations.txt`: id, latitude, longitude and elevation in fixed columns. */
export const STATION_LINE =
  /^[A-Z]{2}[A-Z0-9_-]{9} [ -]{0,3}\d{1,2}\.\d{4} [ -]{0,4}\d{1,3}\.\d{4} [ -]{0,5}\d+\.\d/;

/**
 * Reads the stations of a list, by id (NOAA, readme of GHCN-Daily, section IV: columns 1–11 id, 13–20 latitude, 22–30
 * longitude, 39–40 state, 42–71 name).
 * @throws IngestError that names the first invalid line
 */
export async function readStationList(text: InputText, dataset: string): Promise<Map<string, Station>> {
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
