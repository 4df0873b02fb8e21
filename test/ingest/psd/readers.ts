import { BatchBuilder } from '../../../src/ingest/batch/batch-builder.js';
import { readDocument } from '../../../src/ingest/csv/documents.js';
import { createItemReader, createNameReader } from '../../../src/ingest/csv/entities.js';
import { loadKnownNames } from '../../../src/ingest/csv/known-names.js';
import { createNameResolver } from '../../../src/ingest/csv/names.js';
import { createNumberParser } from '../../../src/ingest/csv/numbers.js';
import { parseDataSet } from '../../../src/ingest/csv/parse-mapping.js';

/** Resolves names of commodities and attributes as the document of PSD does. */
export async function psdReaders(batch = new BatchBuilder()) {
  const [mapping] = parseDataSet(readDocument('psd')).forms;
  const [{ item, metric }] = mapping.values as [(typeof mapping.values)[number]];
  const names = createNameResolver(batch, { rule: 'exact', known: await loadKnownNames() });
  const parseNumber = createNumberParser(mapping);
  const context = { mapping, names, batch, parseNumber, locator: null, places: new Map() };
  const [itemOf, metricOf] = [
    createItemReader(item!, context),
    createNameReader('metrics', metric!, context),
  ];
  return {
    item: (name: string, code: number) =>
      itemOf({ Commodity_Description: name, Commodity_Code: String(code) }),
    metric: (name: string, code: number) =>
      metricOf({ Attribute_Description: name, Attribute_ID: String(code) }),
  };
}
