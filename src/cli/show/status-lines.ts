import { failureInWords } from '../../explain/failure.ts';
import { groupParked } from '../../explain/parked.ts';
import { setAsideInWords } from '../../explain/set-aside.ts';
import { isAhead } from '../../explain/standing.ts';
import { adviceOnRefusal, decideCommand, isOpen } from '../../explain/verdict.ts';
import {
  conflictInWords,
  counted,
  namesInWords,
  operationInWords,
  retirementInWords,
  sideInWords,
  timeInWords,
  tokenAdvice,
  tokenEndInWords,
} from '../../explain/words.ts';
import type { Side } from '../../model/ids.ts';
import type { Failing, RouteStatus, SideStatus } from '../../model/route-status.ts';
import type { Refused } from '../../model/store.ts';
import { agoInWords } from '../summary.ts';
import { type Terminal, visible } from '../terminal.ts';

/** The problems of a route, and what the bridge corrected, as terminal lines. */

export function printFailure({ out, paint }: Terminal, failing: Failing, now: number): void {
  const { of, needsPerson, count, sinceAt, at, advice } = failing;
  const first = count === 1 || isAhead(sinceAt, now) ? '' : `, first ${agoInWords(sinceAt, now)}`;
  const isTimeless = of === 'state' || of === 'stray';
  const when = isTimeless ? '' : `${of === 'clock' ? 'Seen' : 'That was'} ${agoInWords(at, now)}${first}. `;
  const word = of === 'clock' ? 'clock' : of === 'stray' ? 'left' : 'failed';
  out(`  ${paint(needsPerson ? 'red' : 'yellow', word.padEnd(9))} ${visible(failureInWords(failing))}`);
  out(`            ${paint('dim', `${when}${advice}`)}`);
}

export function printRefusal({ out, paint }: Terminal, refused: Refused, now: number): void {
  const what = refused.of === 'plan' ? 'the plan' : `the full comparison with ${sideInWords(refused.of)}`;
  const words = `the brake stopped ${what} ${agoInWords(refused.at, now)}: ${refused.why}`;
  out(`  ${paint('red', 'refused')}   ${visible(words)}`);
  out(`            ${paint('dim', adviceOnRefusal(refused))}`);
}

/** Only a notice: until that day, the interface works as before. */
export function printRetirement({ out, paint }: Terminal, side: Side, { retirement }: SideStatus, now: number): void {
  const words = retirementInWords(retirement, now);
  if (words === null) return;
  const isOver = (retirement?.endsAt ?? now) <= now;
  out(`  ${paint(isOver ? 'red' : 'yellow', 'outdated')}  ${visible(`${sideInWords(side)} ${words}`)}`);
  out(`            ${paint('dim', 'Install a newer version of bugferry.')}`);
}

/** Only a notice, too: until that day, the token works. */
export function printTokenEnd({ out, paint }: Terminal, { tokenEndsAt }: SideStatus, now: number): void {
  const end = tokenEndsAt === null ? null : tokenEndInWords(tokenEndsAt, now);
  if (end === null || !end.isSoon) return;
  out(`  ${paint('red', 'token')}     GitHub's token ${end.words}`);
  out(`            ${paint('dim', tokenAdvice)}`);
}

/** Nobody reads a longer list; `explain` shows the full history of a pair. */
const correctedMax = 5;

/** Not problems: changes that the bridge reverted. */
export function printCorrected({ out, paint }: Terminal, { corrected }: RouteStatus, now: number): void {
  for (const { about, on, fields, at } of corrected.slice(0, correctedMax)) {
    const words = `${about}: ${fields.join(', ')} had been changed on ${sideInWords(on)}; ${agoInWords(at, now)}`;
    out(`  ${paint('dim', 'reverted')}  ${visible(words)}`);
  }
  const more = corrected.length - correctedMax;
  if (more > 0)
    out(
      `             ${paint('dim', `and ${more} more within the last day; bugferry explain shows the history of a pair`)}`,
    );
}

/** What blocks a route, and what you can do about it. */
export function printTrouble({ out, paint }: Terminal, status: RouteStatus): void {
  for (const item of status.setAside) {
    out(
      `  ${paint('red', 'set aside')} ${visible(`${item.about}: ${setAsideInWords(item)}; since ${timeInWords(item.sinceAt)}`)}`,
    );
    out(`            ${paint('dim', visible(item.advice))}`);
  }
  for (const { first, numbers, what } of groupParked(status.parked)) {
    const { about, why, attempts } = first;
    out(`  ${paint('red', 'parked')}    ${visible(`${numbersInWords(numbers)}. ${about}: ${what}`)}`);
    out(`            ${visible(why ?? `failed ${counted(attempts, 'time')}`)}`);
    const which = numbers.length > namesMax ? '--all' : numbers.join(' ');
    const advice = `Fix the cause; the next full comparison (schedule.sweep) tries again, or bugferry retry ${which} does so now.`;
    out(`            ${paint('dim', advice)}`);
  }
  for (const { number, about, why } of status.putOff) {
    out(`  ${paint('yellow', 'not taken')} ${visible(`${number}. ${about}: ${why}`)}`);
    out(`            ${paint('dim', `bugferry tries again by itself; bugferry retry ${number} does so now.`)}`);
  }
  for (const { about, operation } of status.doubts) {
    const words = `${about}: ${operationInWords(operation, null, 'planned').what}; the next cycle checks whether it arrived`;
    out(`  ${paint('yellow', 'in doubt')}  ${visible(words)}`);
  }
  if (status.unshown > 0) {
    const words = `${counted(status.unshown, 'comment')} that the tracker confirmed but does not show; what the next check does not find is written again`;
    out(`  ${paint('yellow', 'in doubt')}  ${visible(words)}`);
  }
  for (const conflict of status.conflicts) {
    out(
      `  ${paint(isOpen(conflict) ? 'red' : 'dim', 'conflict')}  ${visible(`${conflict.about}: ${conflictInWords(conflict)}`)}`,
    );
    if (isOpen(conflict))
      out(`            ${paint('dim', visible(`${decideCommand(conflict.about)}, or make both sides equal`))}`);
  }
  // Print a cause that blocks several fields of a bug only once.
  const asking = status.skips.filter(({ needsPerson }) => needsPerson);
  for (const line of new Set(asking.map(({ about, reason }) => visible(`${about}: ${reason}`))))
    out(`  ${paint('red', 'needs you')} ${line}`);
  printLeft({ out, paint }, status);
}

const namesMax = 3;

const numbersInWords = (numbers: readonly number[]): string =>
  `${numbers.slice(0, namesMax).join(', ')}${numbers.length > namesMax ? ` and ${numbers.length - namesMax} more` : ''}`;

/** What waits without anybody's help, and what never crosses, by reason. */
function printLeft({ out, paint }: Pick<Terminal, 'out' | 'paint'>, { skips }: RouteStatus): void {
  const left = skips.filter(({ needsPerson }) => !needsPerson);
  for (const [key, group] of Map.groupBy(
    left,
    ({ reason, isWaiting }) => `${isWaiting ? 'waits' : 'left'} ${reason}`,
  )) {
    const [word = ''] = key.split(' ', 1);
    const names = group.map(({ about }) => about);
    const words = `${namesInWords(names, namesMax)}: ${group[0]?.reason}`;
    out(`  ${paint('dim', word.padEnd(9))} ${paint('dim', visible(words))}`);
  }
}
