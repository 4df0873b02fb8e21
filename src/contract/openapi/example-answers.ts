import type { EndpointName } from '../endpoints.js';

/** What a service with the data set `demo` answers; written by `test/contract/openapi/record.ts`. */
export const EXAMPLE_ANSWERS: { readonly [Name in EndpointName]?: unknown } = {
  combinations: {
    data: [
      {
        metric_id: 30,
        metric_name: 'Yield',
        item_id: 110,
        item_name: 'Corn',
        region_id: 10053,
        region_name: 'Washington',
        source_id: 22,
        source_name: 'USDA NASS corn by state (agridat)',
      },
    ],
  },
  searchAll: [
    [110, 'item'],
    [135, 'item'],
    [22, 'source'],
    [544828109, 'region'],
  ],
  searchHits: {
    data: [
      {
        entity_type: 'items',
        id: 110,
        name: 'Corn',
        series: 4,
        exact: false,
      },
      {
        entity_type: 'sources',
        id: 22,
        name: 'USDA NASS corn by state (agridat)',
        series: 4,
        exact: false,
      },
      {
        entity_type: 'regions',
        id: 540218690,
        name: 'Córdoba',
        series: 0,
        exact: false,
      },
    ],
  },
  search: [
    {
      id: 110,
      name: 'Corn',
      exact: true,
    },
    {
      id: 135,
      name: 'Corn silage',
      exact: false,
    },
  ],
  seriesList: {
    data: [
      {
        metric_id: 30,
        metric_name: 'Yield',
        item_id: 110,
        item_name: 'Corn',
        region_id: 10053,
        region_name: 'Washington',
        partner_region_id: 0,
        partner_region_name: 'World',
        frequency_id: 9,
        frequency_name: 'annual',
        source_id: 22,
        source_name: 'USDA NASS corn by state (agridat)',
        start_date: '2002-01-01T00:00:00.000Z',
        end_date: '2011-12-31T00:00:00.000Z',
        data_count_estimate: 10,
        metadata: {
          includes_historical_region: false,
        },
      },
    ],
  },
  seriesStream:
    '[{"metric_id":30,"metric_name":"Yield","item_id":110,"item_name":"Corn","region_id":10053,"region_name":"Washington","partner_region_id":0,"partner_region_name":"World","frequency_id":9,"frequency_name":"annual","source_id":22,"source_name":"USDA NASS corn by state (agridat)","start_date":"2002-01-01T00:00:00.000Z","end_date":"2011-12-31T00:00:00.000Z","data_count_estimate":10,"metadata":{"includes_historical_region":false}}]\n',
  facets: {
    data: {
      series: 4,
      metrics: [
        {
          id: 21,
          name: 'Area harvested',
          series: 2,
        },
      ],
      regions: [
        {
          id: 10036,
          name: 'New York',
          series: 2,
        },
      ],
      more: {
        metrics: 1,
        regions: 1,
      },
      lifted: {
        metrics: 4,
        regions: 4,
      },
    },
  },
  vintages: {
    data: {
      series: 2,
      points: 20,
      available_dates: [
        {
          date: '2020-01-01T00:00:00.000Z',
          points: 20,
        },
      ],
      reporting_dates: [],
      more: {
        available_dates: 0,
        reporting_dates: 0,
      },
    },
  },
  timeFrequencies: [
    {
      startDate: '2002-01-01T00:00:00.000Z',
      endDate: '2011-12-31T00:00:00.000Z',
      frequencyId: 9,
      name: 'annual',
    },
  ],
  rankedSources: [22],
  points: [
    {
      series: {
        metricId: 30,
        itemId: 110,
        regionId: 10053,
        partnerRegionId: 0,
        frequencyId: 9,
        sourceId: 22,
        unitId: 76,
        belongsTo: {
          metricId: 30,
          itemId: 110,
          regionId: 10053,
          partnerRegionId: 0,
          frequencyId: 9,
          sourceId: 22,
        },
        metadata: {
          includesHistoricalRegion: false,
          includesHistoricalPartnerRegion: false,
        },
      },
      data: [
        ['2010-01-01T00:00:00.000Z', '2010-12-31T00:00:00.000Z', 205, null, 76, null, null],
        ['2011-01-01T00:00:00.000Z', '2011-12-31T00:00:00.000Z', 225, null, 76, null, null],
      ],
      checksum: 506372757,
    },
  ],
  top: [
    {
      metricId: 21,
      itemId: 110,
      regionId: 10036,
      frequencyId: 9,
      sourceId: 22,
      unitId: 21,
      value: 1210000,
    },
    {
      metricId: 21,
      itemId: 110,
      regionId: 10053,
      frequencyId: 9,
      sourceId: 22,
      unitId: 21,
      value: 250000,
    },
  ],
  allowedUnits: {
    data: [
      {
        id: 1,
      },
      {
        id: 2,
      },
      {
        id: 3,
      },
      {
        id: 4,
      },
    ],
  },
  geocentres: {
    data: [
      {
        centre: [47.3769, -120.4396],
        regionId: 10053,
        regionName: 'Washington',
      },
    ],
  },
  geocode: {
    data: [
      {
        latitude: 47.61,
        longitude: -122.33,
        l5_id: 153033,
        l5_name: 'King County, Washington',
        l4_id: 10053,
        l4_name: 'Washington',
        l3_id: 840,
        l3_name: 'United States',
        station_id: 1389719618,
        station_name: 'Seattle weather station',
        station_km: 18.454,
      },
    ],
  },
  areaWeighting: {
    data_points: [
      {
        value: 147.03018268467036,
        timestamp: 1325289600,
        available_timestamp: 1577836800,
        start_timestamp: 1293840000,
        weight_present: 1,
      },
    ],
    series_description: {
      item_id: 110,
      metric_id: 30,
      frequency_id: 9,
      source_id: 22,
      unit_id: 76,
    },
    weights_description: [
      {
        item_id: 110,
        metric_id: 21,
        frequency_id: 9,
        source_id: 22,
        unit_id: 21,
      },
    ],
    regions_without_data: [],
    regions_without_weight: [],
  },
  descendants: {
    data: {
      '10053': [
        153001, 153003, 153005, 153007, 153009, 153011, 153013, 153015, 153017, 153019, 153021, 153023,
        153025, 153027, 153029, 153031, 153033, 153035, 153037, 153039, 153041, 153043, 153045, 153047,
        153049, 153051, 153053, 153055, 153057, 153059, 153061, 153063, 153065, 153067, 153069, 153071,
        153073, 153075, 153077,
      ],
    },
  },
  ancestors: {
    data: {
      '10053': [0, 840, 1003],
    },
  },
  entity: {
    data: {
      id: 110,
      name: 'Corn',
      definition: 'Zea mays harvested as grain.',
      contains: [],
      belongsTo: [101],
    },
  },
  entities: {
    data: {
      '22': {
        id: 22,
        name: 'USDA NASS corn by state (agridat)',
        longName:
          'USDA NASS Quick Stats, corn area harvested and yield by state, as the R package agridat carries it',
        licence: 'Public domain (work of the United States government); agridat is MIT',
        citation:
          'USDA National Agricultural Statistics Service, Quick Stats; by way of K. Wright, agridat: nass.corn',
        url: 'https://kwstat.github.io/agridat/reference/nass.corn.html',
      },
    },
  },
};
