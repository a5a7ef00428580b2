import { describe, expect, it } from 'vitest';
import { chartTime, databaseTime } from '../../../src/sandbox/tracker/chart/date.ts';
import { instantOf, localTime, parseTime, wireTime } from '../../../src/sandbox/tracker/installation/times.ts';
import { searchedTracker } from '../recorded/searched.ts';

const newYork = 'America/New_York';

describe('a local time', () => {
  it.each([
    ['2026-11-21T09:45:02Z', newYork, '2026-11-21 04:45:02'],
    ['2027-07-04T16:00:00Z', newYork, '2027-07-04 12:00:00'],
    ['2026-11-21T00:00:00Z', 'Asia/Kolkata', '2026-11-21 05:30:00'],
    ['2026-11-21T04:59:59Z', newYork, '2026-11-20 23:59:59'],
    ['2026-11-21T05:00:00Z', newYork, '2026-11-21 00:00:00'],
    ['2026-11-21T09:45:02Z', 'UTC', '2026-11-21 09:45:02'],
  ])('of %s in %s is %s, there and back', (instant, zone, local) => {
    expect(localTime(Date.parse(instant), zone)).toBe(local);
    expect(wireTime(instantOf(local, zone))).toBe(instant);
  });

  it.each([
    ['that summer time skips', '2026-03-08 02:30:00', '2026-03-08T07:30:00Z'],
    ['that comes twice', '2026-11-01 01:30:00', '2026-11-01T05:30:00Z'],
  ])('%s has an instant all the same', (_what, local, instant) =>
    expect(wireTime(instantOf(local, newYork))).toBe(instant),
  );
});

describe('a time in a query', () => {
  it.each([
    ['2026-11-21T09:45:02Z', '2026-11-21T09:45:02Z'],
    ['2026-11-21T09:45:02.999999Z', '2026-11-21T09:45:02Z'],
    ['2026-11-21t09:45:02z', '2026-11-21T09:45:02Z'],
    ['2026-11-21 09:45:02 UTC', '2026-11-21T09:45:02Z'],
    ['2026-11-21T11:45:02+02:00', '2026-11-21T09:45:02Z'],
    ['2026-11-21T11:45:02+0200', '2026-11-21T09:45:02Z'],
    ['2026-11-21 01:45:02 PST', '2026-11-21T09:45:02Z'],
    ['2026-11-21T04:45:02', '2026-11-21T09:45:02Z'],
    ['2026-11-21 04:45', '2026-11-21T09:45:00Z'],
    ['20261121T044502', '2026-11-21T09:45:02Z'],
    ['2026-11-21', '2026-11-21T05:00:00Z'],
    ['2026-11-21 04:45:02 Nowhere', '2026-11-21T09:45:02Z'],
    ['21 Nov 2026 04:45:02', '2026-11-21T09:45:02Z'],
    ['Sat, 21 Nov 2026 09:45:02 GMT', '2026-11-21T09:45:02Z'],
    ['November 21, 2026', '2026-11-21T05:00:00Z'],
    ['11/21/2026', '2026-11-21T05:00:00Z'],
  ])('%s in New York is %s', (text, instant) => expect(wireTime(parseTime(text, newYork))).toBe(instant));

  it.each(['', 'now', '-1d', '24h', '1790658526', '2026-13-01', '2026-02-30', '0000-00-00', '2026', 'soon'])(
    '"%s" is no date',
    (text) => {
      expect(() => parseTime(text, newYork)).toThrow(expect.objectContaining({ code: 56, status: 400 }));
    },
  );
});

describe('a time in a chart', () => {
  it.each([
    ['2026-11-21 04:45:02', '2026-11-21 04:45:02'],
    ['2026-11-21T04:45:02Z', '2026-11-21 04:45:02'],
    ['2026-11-21T04:45:02+02:00', '2026-11-21 04:45:02'],
    ['2026-11-21t04:45:02z', '2026-11-21 00:00:00'],
    ['2026-1-2 3:4', '2026-01-02 03:04:00'],
    ['20261121044502', '2026-11-21 04:45:02'],
    ['2026-11-21 and so on', '2026-11-21 00:00:00'],
    ['2026-13-01', null],
    ['soon', null],
  ])('%s is read as %s, whatever its zone', (text, local) => expect(databaseTime(text)).toBe(local));

  it.each([
    ['now', '2026-11-21 00:00:00'],
    ['1d', '2026-11-20 04:45:02'],
    ['-1d', '2026-11-20 04:45:02'],
    ['+1d', '2026-11-22 04:45:02'],
    ['1ds', '2026-11-20 00:00:00'],
    ['0d', '2026-11-21 00:00:00'],
    ['2w', '2026-11-07 04:45:02'],
    ['0w', '2026-11-15 00:00:00'],
    ['5h', '2026-11-20 23:45:02'],
    ['0h', '2026-11-21 04:00:00'],
    ['3m', '2026-08-21 04:45:02'],
    ['11m', '2025-12-21 04:45:02'],
    ['1ms', '2026-10-01 00:00:00'],
    ['1y', '2025-11-21 04:45:02'],
    ['1ys', '2025-01-01 00:00:00'],
    ['2026-11-21T09:45:02Z', '2026-11-21 04:45:02'],
  ])('%s is %s when it is asked in New York', (text, local) => {
    expect(chartTime(text, Date.parse('2026-11-21T09:45:02Z'), newYork)).toBe(local);
  });
});

describe('a tracker in New York', () => {
  const { world, find, show } = searchedTracker({ isEmpty: true, timeZone: newYork });
  const bug = world.as('alice').file({ summary: 'local', version: '1.0', cf_due: '2027-07-04 12:00:00' });

  it.each([
    ['last_change_time=2026-11-21T09:45:02Z', true],
    ['last_change_time=2026-11-21T09:45:03Z', false],
    ['last_change_time=2026-11-21T11:45:02%2B02:00', true],
    ['last_change_time=2026-11-21T04:45:02', true],
    ['last_change_time=2026-11-21T04:45:03', false],
    ['last_change_time=2026-11-21T09:45:02', false],
    ['creation_time=2026-11-21 04:45:02', true],
    ['creation_time=2026-11-21 04:45:03', false],
    ['f1=delta_ts&o1=equals&v1=2026-11-21 04:45:02', true],
    ['f1=delta_ts&o1=greaterthaneq&v1=2026-11-21T09:45:02Z', false],
    ['f1=delta_ts&o1=greaterthaneq&v1=2026-11-21T04:45:02Z', true],
    ['f1=delta_ts&o1=anyexact&v1=2026-11-21 04:45:02', true],
    ['f1=delta_ts&o1=substring&v1=2026-11-21 04', true],
    ['f1=delta_ts&o1=greaterthan&v1=soon', false],
    ['f1=delta_ts&o1=notequals&v1=soon', false],
    ['f1=delta_ts&o1=greaterthan&v1=-1h', true],
    ['f1=creation_ts&o1=lessthan&v1=-1h', false],
    ['f1=days_elapsed&o1=equals&v1=0', true],
    ['f1=cf_due&o1=equals&v1=2027-07-04 12:00:00', true],
    ['f1=cf_due&o1=greaterthan&v1=now', true],
    ['chfieldfrom=2026-11-21 04:45:02', true],
    ['chfieldfrom=2026-11-21 04:45:03', false],
    // In lower case, only the day of this is read.
    ['chfieldfrom=2026-11-21T09:45:03Z', true],
    ['chfieldfrom=2026-11-22T09:45:03Z', false],
  ])('finds by %s: %s', async (query, isFound) => expect(await find(query)).toEqual(isFound ? [bug] : []));

  it('tells times in UTC', async () => {
    expect(await show('include_fields=creation_time,last_change_time,cf_due')).toEqual({
      creation_time: '2026-11-21T09:45:02Z',
      last_change_time: '2026-11-21T09:45:02Z',
      cf_due: '2027-07-04T16:00:00Z',
    });
  });
});
