import { describe, expect, it } from 'vitest';
import { searchedTracker } from '../recorded/searched.ts';

const recorded = searchedTracker();
const find = (line: string, more = '') => recorded.find(`quicksearch=${encodeURIComponent(line)}${more}`);

describe('a quicksearch', () => {
  it.each([
    ['3 5', [3, 5]],
    ['#5', [5]],
    [', 5,3 ,', [3, 5]],
    ['crash', [1]],
    ['ALL crash', [1]],
    ['wb1', [27]],
    ['orig-bug', [11]],
    ['secret', [26]],
    ['acme', [1]],
    ['ALL dup', []],
    ['ALL "same problem"', [12, 13, 14]],
    ["ALL 'same problem'", [12, 13, 14]],
    ["ALL aren't", []],
    ['ALL same problem again', [12, 13, 14]],
    ['same', []],
    ['problem boot|flags', []],
    ['boot|flags', [21, 29]],
    ['boot OR flags', [21, 29]],
    ['boot,flags', [21, 29]],
    ['has AND flags', [21]],
    ['has flags', [21]],
    ['FIXED', [22, 49]],
    ['FIX,DUP', [12, 13, 14, 22, 49]],
    ['VERI', [22]],
    ['RESO,VERI workflow', [22]],
    ['OPEN workflow', []],
    ['status:verified', [22]],
    ['stat:verified', [22]],
    ['resolution:fixed', [22, 49]],
    ['summary:boot', [29]],
    ['summary,whiteboard:boot,wb1', [27, 29]],
    ['summary:"Has flags"', [21]],
    ['summary="has flags"', [21]],
    ['summary!=boot component:firmware', [41, 47, 52]],
    ['bug_id>=57', [57]],
    ['bug_id<3', [1, 2]],
    ['kw:regression', [11, 15]],
    ['!security', [15, 25]],
    ['assignee:bob kw:crash', []],
    ['owner:alice kw:crash', [1]],
    ['@alice kw:crash', [1]],
    [':ui boot', [29]],
    ['[meta', [15]],
    ['#[meta]', [15]],
    ['needinfo?', [21]],
    ['needinfo?bob', [21]],
    ['needinfo?dave', []],
    ['flag:needinfo?carol', [21]],
    ['flag:blocker', [21]],
    ['requestee:bob', [21]],
    ['branch:release', [27]],
    ['cf_branch:release', [27]],
    ['bran:release', [27]],
    ['P1 :core', [55]],
    ['P2 :core', [1]],
    ['P1-2 ALL', []],
    ['"https://example.test/a"', [3, 27]],
    ['content:acme', [1]],
    ['ALL -orig', [28]],
    ['NOT kw:crash alias:al', [28]],
    ['-kw:crash alias:orig', [11]],
  ])('%s', async (line, found) => expect(await find(line)).toEqual(found));

  it.each([
    ['', '400/1000'],
    [' , ', '400/1000'],
    ['0', '400/1000'],
    ['xyz:1', '400/32000'],
    ['s:1', '400/32000'],
    ['ALL "open', '400/32000'],
    ['OR crash', '400/32000'],
    ['crash NOT', '400/32000'],
    ['crash AND OR boot', '400/32000'],
    ['NOT OR boot', '400/32000'],
    ['bug_id=x', '400/52'],
    ['https://example.test/a', '400/32000'],
  ])('"%s" is refused', async (line, refusal) => expect(await find(line)).toBe(refusal));

  it('goes with other parameters and a limit', async () => {
    expect(await find('ALL problem', '&product=Gadget&limit=2')).toEqual([34, 41]);
    expect(await find('ALL problem', '&product=Gadget&limit=2&offset=1&order=bug_id DESC')).toEqual([52, 49]);
    expect(await find('ALL problem', '&offset=1')).toBe('400/50');
  });

  it('shows only public bugs to anonymous readers', async () => {
    expect(await recorded.find('quicksearch=secret', 'nobody')).toEqual([]);
    expect(await recorded.find('quicksearch=acme', 'nobody')).toEqual([]);
  });
});
