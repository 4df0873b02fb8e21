import { useSignal } from '@preact/signals';
import type { Line } from '../../charts/lines.js';
import { RESAMPLED, type Scale } from '../../model/chart-choices.js';
import { DERIVATIONS, type Derivation } from '../../model/derivations.js';
import { Select } from '../controls/fields.js';
import { countText } from '../controls/format.js';
import { useCopy } from '../controls/use-copy.js';
import { Failure } from '../controls/waiting.js';
import { currentAddress, page } from '../state/page.js';
import { currentTheme } from '../state/preferences.js';
import type { DataRequest } from '../state/view-state.js';
import { citationOf } from './cite-view.js';
import { currentExport, drawable } from './exported.js';
import { fileName, PICTURE_SIZES, pictureFile, saveFile, TABLE_FORMATS, WIDE_FORMATS } from './files.js';

/** Renders the download buttons for the displayed values, all values of the series, and pictures. */
export function Download() {
  const scope = useSignal<(typeof SCOPES)[number]>('shown');
  const size = useSignal<keyof typeof PICTURE_SIZES>('document');
  const isSafe = useSignal(true);
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(null);
  const tables = currentExport();
  const shownTitle = [...(tables.request ? stepNames(tables.request) : []), tables.title].join(' ');
  const save = async <Format extends string>(format: Format, make: (format: Format) => Promise<Blob>) => {
    isBusy.value = true;
    error.value = null;
    try {
      const isStored = scope.value === 'whole' && format in TABLE_FORMATS;
      saveFile(await make(format), fileName(isStored ? tables.title : shownTitle, format));
    } catch (failure) {
      error.value = failure;
    } finally {
      isBusy.value = false;
    }
  };
  const tableFile = async (format: keyof typeof TABLE_FORMATS) => {
    const table = tables[scope.value];
    if (table === null) throw new Error('The values are still loading.');
    return TABLE_FORMATS[format](table, isSafe.value);
  };
  const { lines = [] } = tables;
  const wideFile = async (format: keyof typeof WIDE_FORMATS) => {
    const { wideTable } = await import('./wide-table.js');
    return WIDE_FORMATS[format](wideTable(lines), { safe: isSafe.value, about: citation() });
  };
  const citation = () => {
    const { whole, cited: table = whole } = tables;
    if (table === null) throw new Error('The values are still loading.');
    return citationOf(table, { link: currentAddress(), asof: page.peek().asof }).text;
  };
  const chartFile = async (format: 'png' | 'svg') => {
    const make = drawable.peek();
    if (make === null) throw new Error('No chart is shown.');
    return pictureFile(make, format, { size: size.value, theme: currentTheme(), citation: citation() });
  };
  const button = <Format extends keyof typeof LABELS>(
    format: Format,
    make: (format: Format) => Promise<Blob>,
    { isReady = true, label = LABELS[format] as string } = {},
  ) => (
    <button key={format} type="button" disabled={isBusy.value || !isReady} onClick={() => save(format, make)}>
      {label}
    </button>
  );
  return (
    <div class="download">
      <fieldset class="choice">
        <legend>Figures</legend>
        {SCOPES.filter((one) => tables[one] !== null).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="scope"
              checked={scope.value === one}
              onChange={() => (scope.value = one)}
            />
            {tables.labels[one]} ({countText(tables[one]?.numRows ?? 0, 'row')})
          </label>
        ))}
        <label>
          <input type="checkbox" checked={isSafe.value} onChange={() => (isSafe.value = !isSafe.value)} />
          CSV for spreadsheets: put an apostrophe before names that look like formulas
        </label>
        <div class="buttons">
          {(['csv', 'arrow', 'parquet'] as const).map((format) => button(format, tableFile))}
        </div>
      </fieldset>
      {lines.length > 0 && (
        <fieldset class="choice">
          <legend>Spreadsheet with a column for each series</legend>
          <div class="buttons">
            {(['csv', 'xlsx'] as const).map((format) =>
              button(format, wideFile, { label: format === 'csv' ? 'Wide CSV' : 'Excel' }),
            )}
            <CopyTable lines={lines} />
          </div>
        </fieldset>
      )}
      <fieldset class="choice">
        <legend>Picture</legend>
        <Select
          label="For"
          value={size.value}
          options={Object.entries(PICTURE_SIZES).map(([name, { width, height }]) => [
            name as keyof typeof PICTURE_SIZES,
            `${name} (PNG ${2 * width} × ${2 * height})`,
          ])}
          onChange={(chosen) => (size.value = chosen)}
        />
        <div class="buttons">
          {(['png', 'svg'] as const).map((format) =>
            button(format, chartFile, { isReady: drawable.value !== null }),
          )}
        </div>
        {drawable.value === null && (
          <p class="quiet-text">This view has no chart; open the Chart tab to get one.</p>
        )}
      </fieldset>
      {error.value !== null && (
        <Failure
          error={error.value}
          what="The file could not be created."
          onRetry={() => (error.value = null)}
        />
      )}
      <p class="quiet-text">
        Arrow and Parquet files contain the sources, their licences and a report of the retrieval. A picture
        shows the sources below the chart. With a CSV file, also copy the citation.
      </p>
    </div>
  );
}

/** Returns the steps that derived the shown values, in order, such as `sum of each month`. */
function stepNames({ every, scale, formula, hows = [] }: DataRequest): string[] {
  const sums = [...new Set(hows)].flatMap((how) =>
    every && how ? DERIVATIONS.aggregate(how, RESAMPLED[every], 1).words : [],
  );
  const changes: Partial<Record<Scale, Derivation>> = {
    yoy: DERIVATIONS.percentChange(1),
    change: DERIVATIONS.change(1),
    index: DERIVATIONS.index(),
  };
  return [
    ...sums,
    ...(formula === 'none' ? [] : [formula]),
    ...(changes[scale] ? [changes[scale].words] : []),
  ];
}

function CopyTable({ lines }: { lines: readonly Line[] }) {
  const [said, copy] = useCopy('Copy table');
  const copyRows = async () => {
    const { toTabSeparated: tabSeparated, wideTable } = await import('./wide-table.js');
    const rows = wideTable(lines);
    const done = `${countText(rows.length - 1, 'row')} copied`;
    await copy(tabSeparated(rows), done, () => 'This browser does not allow copying: download the CSV');
  };
  return (
    <button type="button" onClick={() => void copyRows()}>
      {said}
    </button>
  );
}

const SCOPES = ['shown', 'whole'] as const;
const LABELS = {
  csv: 'CSV',
  xlsx: 'Excel',
  arrow: 'Arrow',
  parquet: 'Parquet',
  png: 'PNG',
  svg: 'SVG',
} as const;
