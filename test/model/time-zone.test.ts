import { describe, expect, it } from 'vitest';
import { localTimes } from '../../src/model/time-zone.js';

describe('localTimes', () => {
  it.each([
    // Berlin turned its clocks on 29 March 2020 at 01:00 UTC.
    ['Europe/Berlin', '2020-02-28T23:00:00.250Z', '2020-02-29T00:00:00.250Z'],
    ['Europe/Berlin', '2020-03-29T00:59:59.999Z', '2020-03-29T01:59:59.999Z'],
    ['Europe/Berlin', '2020-03-29T01:00:00.000Z', '2020-03-29T03:00:00.000Z'],
    ['Asia/Kolkata', '2019-12-31T18:30:00.000Z', '2020-01-01T00:00:00.000Z'],
    ['Pacific/Auckland', '2020-02-28T11:00:00.000Z', '2020-02-29T00:00:00.000Z'],
    ['America/Chicago', '1969-12-31T23:59:59.999Z', '1969-12-31T17:59:59.999Z'],
    ['Europe/Berlin', '1880-01-01T00:00:00.000Z', '1880-01-01T00:53:28.000Z'],
    ['+02:00', '2020-02-28T22:00:00.000Z', '2020-02-29T00:00:00.000Z'],
    ['+05', '2020-02-28T19:00:00.000Z', '2020-02-29T00:00:00.000Z'],
    ['-0330', '2020-02-29T03:30:00.000Z', '2020-02-29T00:00:00.000Z'],
    ['UTC', '2020-02-29T00:00:00.000Z', '2020-02-29T00:00:00.000Z'],
    ['Z', '2020-02-29T00:00:00.000Z', '2020-02-29T00:00:00.000Z'],
  ])('shifts to the time of %s at %s', (zone, utc, local) => {
    expect(new Date(localTimes(zone)(Date.parse(utc))).toISOString()).toBe(local);
  });

  it('leaves what is no date', () => {
    for (const ms of [Number.NaN, 9e15]) expect(localTimes('Europe/Berlin')(ms)).toBe(ms);
  });

  it.each(['Mars/Olympus', '+99:00', ''])('refuses the zone %j', (zone) => {
    expect(() => localTimes(zone)).toThrow(`"${zone}" is not a known time zone; convert the column to UTC`);
  });
});
