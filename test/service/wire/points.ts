import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { openPointAnswer } from '../../../src/client/points/point-answer.js';
import { type Block, body, revisedQuery, served } from './wire.js';

export function describePoints(): void {
  describe('points', () => {
    const blocks = (flags = ''): Promise<Block[]> =>
      body(`/v2/data?${revisedQuery()}&responseType=list_of_series${flags}`);
    const values = async (flags = ''): Promise<unknown[]> =>
      (await blocks(flags)).flatMap(({ data }) => data.map(([start, , value]) => [start.slice(0, 4), value]));

    it('returns the latest revision of each period, also a revision to null', async () => {
      const [block] = await blocks();
      expect(block!.series).toMatchObject({
        metricId: served.known.revised.metric_id,
        partnerRegionId: 0,
        unitId: 22,
        belongsTo: { regionId: 250 },
        metadata: { includesHistoricalRegion: false, includesHistoricalPartnerRegion: false },
      });
      expect(block!.data).toEqual([
        [
          '2016-01-01T00:00:00.000Z',
          '2016-12-31T00:00:00.000Z',
          111,
          '2017-06-10T00:00:00.000Z',
          22,
          null,
          null,
        ],
        [
          '2017-01-01T00:00:00.000Z',
          '2017-12-31T00:00:00.000Z',
          null,
          '2018-06-10T00:00:00.000Z',
          22,
          null,
          null,
        ],
        ['2019-01-01T00:00:00.000Z', '2019-12-31T00:00:00.000Z', 140, null, 22, null, null],
      ]);
    });

    it.each(['showReportingDate=True', 'showRevisions=true'])(
      'returns each reporting date with %s',
      async (flag) => {
        expect(await values(`&${flag}`)).toEqual([
          ['2016', 100],
          ['2016', 111],
          ['2017', 120],
          ['2017', null],
          ['2019', 140],
        ]);
      },
    );

    it('returns every vintage with showHistory', async () => {
      expect(await values('&showHistory=true')).toEqual([
        ['2016', 100],
        ['2016', 110],
        ['2016', 111],
        ['2017', 120],
        ['2017', null],
        ['2019', 140],
      ]);
    });

    it('returns what was available at a time, or since a time', async () => {
      expect(await values('&atTime=2017-03-01')).toEqual([['2016', 100]]);
      expect(await values('&atTime=2018-03-01')).toEqual([
        ['2016', 111],
        ['2017', 120],
      ]);
      expect(await values('&availableSince=2018-06-01')).toEqual([
        ['2017', null],
        ['2019', 140],
      ]);
    });

    it('returns points that overlap the requested dates', async () => {
      expect(await values('&startDate=2016-12-31&endDate=2017-01-01')).toEqual([
        ['2016', 111],
        ['2017', null],
      ]);
    });

    it('fills periods without data with nulls', async () => {
      expect(await values('&insertNull=true')).toEqual([
        ['2016', 111],
        ['2017', null],
        ['2018', null],
        ['2019', 140],
      ]);
      expect(await values('&insertNull=true&startDate=2018-01-01&endDate=2021-06-01')).toEqual([
        ['2018', null],
        ['2019', 140],
        ['2020', null],
        ['2021', null],
      ]);
    });

    const DAILY = 'metricId=2&itemId=2&regionId=1389719618&sourceId=20&frequencyId=1&insertNull=true';

    it('refuses to fill more periods of a series than the limit, before the answer begins', async () => {
      const dates = { startDate: '0001-01-01', endDate: '9999-12-31' };
      const all = await served.json(`/v2/data?${DAILY}&${new URLSearchParams(dates)}`);
      expect(all.status).toBe(400);
      expect((all.body as { message: string }).message).toMatch(
        /^insertNull: from 0001-01-01 to 9999-12-31 a series with the frequency daily has 3652059 periods, but at most 100000 can be filled; choose a startDate and endDate that are closer together \(its data are from 2012-01-01 to 2015-12-31\)/,
      );
      const open = await served.json(`/v2/data?${DAILY}&startDate=0001-01-01`);
      expect(open.status).toBe(400);
      const annual = await blocks('&insertNull=true&startDate=0001-01-01&endDate=9999-12-31');
      expect(annual[0]!.data.length).toBe(9999);
    });

    it('returns no available date for filled periods', async () => {
      const flags = '&insertNull=true&showAvailableDate=true';
      const [block] = await blocks(flags);
      expect(block!.data.map((point) => point[6] === null)).toEqual([false, false, true, false]);
      const accept = { accept: 'application/vnd.apache.arrow.stream' };
      const response = await served.get(`/v2/data?${revisedQuery()}${flags}`, accept);
      const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
      expect([...table.getChild('available_date')!].map((date) => date === null)).toEqual([
        false,
        false,
        true,
        false,
      ]);
    });

    it('returns available dates and metadata on request', async () => {
      const [block] = await blocks('&showAvailableDate=true&showMetaData=true');
      expect(block!.data[1]!.slice(2)).toEqual([
        null,
        '2018-06-10T00:00:00.000Z',
        22,
        { flag: 'M' },
        '2018-06-11T00:00:00.000Z',
      ]);
    });

    it('converts to a unit, and refuses one of another dimension', async () => {
      const [block] = await blocks('&unitId=20');
      expect(block!.data.map(([, , value, , unit]) => [value, unit])).toEqual([
        [111_000, 20],
        [null, 20],
        [140_000, 20],
      ]);
      expect(await served.json(`/v2/data?${revisedQuery()}&unitId=1`)).toMatchObject({
        status: 400,
        body: {
          error: 'unit',
          message: expect.stringContaining('unit_id 22 is not convertible to unit_id 1'),
        },
      });
    });

    it('selects partner regions; 0 is the same as none', async () => {
      const partner = served.known.trade.partner_region_id;
      const [block] = await body<Block[]>(`/v2/data?${revisedQuery()}&partnerRegionId=${partner}`);
      expect(block!.series).toMatchObject({ partnerRegionId: partner });
      expect(block!.data.map(([, , value]) => value)).toEqual([5]);
      expect(await values('&partnerRegionId=0')).toEqual(await values());
    });

    it('returns the same as an Arrow stream, with every requested series in its metadata', async () => {
      const query = revisedQuery().replace('regionId=250', 'regionId=250&regionId=276');
      const response = await served.get(`/v2/data?${query}&showAvailableDate=true`, {
        accept: 'application/vnd.apache.arrow.stream',
      });
      expect(response.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream');
      const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
      const series = JSON.parse(table.schema.metadata.get('cropframe.series')!) as {
        region_id: number;
        unit_id: number | null;
      }[];
      expect(series.map(({ region_id, unit_id }) => [region_id, unit_id])).toEqual([
        [250, 22],
        [276, null],
      ]);
      expect([...table.getChild('value')!]).toEqual([111, null, 140]);
      expect([...table.getChild('series')!]).toEqual([0, 0, 0]);
      expect(
        [...table.getChild('reporting_date')!].map((ms) =>
          ms === null ? null : new Date(Number(ms)).toISOString().slice(0, 10),
        ),
      ).toEqual(['2017-06-10', '2018-06-10', null]);
      expect(table.schema.fields.find(({ name }) => name === 'start_date')!.type.toString()).toBe(
        'Timestamp<MILLISECOND, UTC>',
      );
    });

    it('sends the form that a reader asks for, the leanest of several', async () => {
      const arrow = 'application/vnd.apache.arrow.stream';
      const runs = 'application/vnd.cropframe.runs';
      const asked: Record<string, string> = {
        [arrow]: arrow,
        [`application/json, ${arrow};q=0.9`]: arrow,
        [`application/json, ${arrow};q=0`]: 'application/json',
        [`${arrow}, ${runs.toUpperCase()} ;q=0.1`]: runs,
        [`${runs}-of-others`]: 'application/json',
      };
      for (const [accept, type] of Object.entries(asked)) {
        const response = await served.get(`/v2/data?${revisedQuery()}`, { accept });
        expect(response.headers.get('content-type')).toBe(type);
        if (type === arrow) {
          const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
          expect([...table.getChild('value')!]).toEqual([111, null, 140]);
          continue;
        }
        const { series, batches } = await openPointAnswer(response, served.known.revised);
        expect(series.map(({ region_id, unit_id }) => [region_id, unit_id])).toEqual([[250, 22]]);
        const values: number[] = [];
        for await (const runs of batches) for (const { value } of runs) values.push(...value);
        expect(values, accept).toEqual([111, Number.NaN, 140]);
      }
    });
  });
}
