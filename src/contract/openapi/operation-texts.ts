import type { EndpointName } from '../endpoints.js';

/** The groups of operations, in the order in which the documentation shows them. */
export const TAGS = {
  Entities: 'Metrics, items, regions, frequencies, sources and units describe a series.',
  Search: 'Words to ids.',
  Series: 'Existing series, their entities, and their coverage of a period.',
  Points: 'Figures, sums and weighted figures.',
  Regions: 'Shapes, centres and the regions of a place.',
  Imports:
    'Importing while the service runs, if it was started with `--allow-import`, with a token that has the right to import.',
  Backups: 'Copies of the store while the service runs, with a token that has the right to administer.',
  Service: 'Access tokens, health and metrics.',
} as const;

interface OperationText {
  readonly tag: keyof typeof TAGS;
  readonly description: string;
}

const SELECTION =
  'A selection is any of the ids of a series. A repeated key selects several; an absent one restricts nothing.';

/** A description of each operation, beyond its summary. */
export const OPERATION_TEXTS: Readonly<Record<EndpointName, OperationText>> = {
  entities: {
    tag: 'Entities',
    description:
      'With `ids`, an object of the existing entities by id; without them a list of the first 5000 by ascending id.',
  },
  entity: { tag: 'Entities', description: 'A single entity; 404 for an unknown id.' },
  descendants: {
    tag: 'Entities',
    description:
      'Metrics, items and regions contain one another. The answer has a list of ids for each id that exists.',
  },
  ancestors: {
    tag: 'Entities',
    description: 'The reverse of `contains`. The answer has a list of ids for each id that exists.',
  },
  allowedUnits: {
    tag: 'Entities',
    description: 'The units of the points of a metric (and item), and all other units of the same dimension.',
  },
  search: {
    tag: 'Search',
    description:
      'Names, synonyms and codes, in upper or lower case, with or without accents. Words may be in any order, and the last one unfinished. If little else fits, misspellings are corrected. "Georgia, USA" also names the region that contains the place.',
  },
  searchAll: {
    tag: 'Search',
    description: 'The form of other services: pairs of an id and `metric`, `item`, `region` or `source`.',
  },
  searchHits: {
    tag: 'Search',
    description:
      'All types at once, with names and the number of series of each hit, as a search box needs them. Hits that have series come first.',
  },
  combinations: {
    tag: 'Series',
    description: `Distinct combinations of metric, item, region and source. ${SELECTION}`,
  },
  seriesList: {
    tag: 'Series',
    description: `Each series with its names, first and last date and number of points. ${SELECTION}`,
  },
  seriesStream: {
    tag: 'Series',
    description: `As \`/v2/data_series/list\`, in lines of up to 10,000 series. ${SELECTION}`,
  },
  facets: {
    tag: 'Series',
    description: `Each facet is counted as if the selection did not restrict it, so that every value leads to data. Series are counted as the store has them now. ${SELECTION}`,
  },
  vintages: {
    tag: 'Series',
    description:
      'The dates that change the answers with `atTime` and `showReportingDate`. At most 10,000 series (413). An absent partner region is the world.',
  },
  timeFrequencies: {
    tag: 'Series',
    description:
      'By the share of the wanted period that has data, then by number of points, then by recency.',
  },
  rankedSources: {
    tag: 'Series',
    description:
      'By the share of the wanted period that has data, then by number of points, then by recency.',
  },
  points: {
    tag: 'Points',
    description:
      'By default the latest revision of each period; a revision to null counts. `Accept` selects JSON or an Arrow stream. Metric, item, region, source and frequency are required.',
  },
  pointsBatch: {
    tag: 'Points',
    description:
      'A list of selections, each with its own flags: one request for many series. The media types are those of `GET /v2/data`.',
  },
  chart: {
    tag: 'Points',
    description:
      'The parameters are those of a link to the *Chart* of the page. The picture has a title, sources and remarks, and shows the store as it is now. Send its entity tag to learn whether it has changed.',
  },
  top: {
    tag: 'Points',
    description: 'Sums of the latest values over the period, each unit apart, highest first.',
  },
  areaWeighting: {
    tag: 'Points',
    description:
      'The weight of a region is the product of the means of the weight series there. Values are converted to the unit of the first region that has a series.',
  },
  rasterWeighting: {
    tag: 'Points',
    description: 'Use `POST /v2/area-weighting`, which weights by stored series.',
  },
  geocentres: {
    tag: 'Regions',
    description:
      'Centres in degrees; with `includeGeojson`, shapes too; with `reqRegionLevelId`, those of all descendants of that level.',
  },
  geocode: {
    tag: 'Regions',
    description:
      'The district, province and country whose shapes contain each place, in the order given, and the nearest weather station with data. Historical regions are left out.',
  },
  importBegin: { tag: 'Imports', description: 'The next operations need the returned id.' },
  importPart: {
    tag: 'Imports',
    description: 'The body is the bytes of the part. The next part begins at `received`.',
  },
  importRun: {
    tag: 'Imports',
    description:
      'Each line is an object with `progress`, `rejected`, `report` or `error`. The last has the report, or the error; then everything is rolled back.',
  },
  importCancel: {
    tag: 'Imports',
    description: 'An import that was not run is also discarded after a while.',
  },
  backupBegin: {
    tag: 'Backups',
    description:
      'Each line is an object with `progress`, `backup` or `error`. The last has the backup with its id, which the next operations need, or the error. Only one backup is made or fetched at a time; otherwise 429.',
  },
  backupPart: {
    tag: 'Backups',
    description:
      'The bytes of a file that `cropframe store check` and `store restore` read. Fetch a part again when it does not match its `content-digest`.',
  },
  backupDiscard: {
    tag: 'Backups',
    description: 'A backup that was not fetched is also discarded after a while.',
  },
  accessToken: {
    tag: 'Service',
    description:
      'The token of a login may read, and expires after 12 hours unless the service says otherwise.',
  },
  health: {
    tag: 'Service',
    description: '503 if the store does not answer. `store_version` changes with every import.',
  },
  metrics: {
    tag: 'Service',
    description:
      'A 404 if the service was started without `--metrics`. No label names a token, an address or a query.',
  },
};
