import type { Route } from '../../model/route.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, warning } from './verdict.ts';

/** Parameters of the installation that make it refuse what the bridge does, or do without something. */
export const settings: Topic = { name: 'tracker settings', fine: 'no setting of the tracker is in the way', find };

interface Setting {
  readonly name: string;
  /** The value that is in the way. */
  readonly value: '0' | '1';
  readonly isUsed: (route: Route) => boolean;
  readonly words: string;
}

const writes = ({ direction }: Route): boolean => direction !== 'to-github';

const known: readonly Setting[] = [
  {
    name: 'commentonchange_resolution',
    value: '1',
    isUsed: writes,
    words: 'closing a bug needs a comment there, so issues that people close are parked as refused; switch the parameter off',
  },
  {
    name: 'commentonduplicate',
    value: '1',
    isUsed: writes,
    words: 'marking a duplicate needs a comment there, so duplicates from GitHub are parked as refused; switch the parameter off',
  },
  {
    name: 'noresolveonopenblockers',
    value: '1',
    isUsed: writes,
    words: 'a bug cannot be closed as FIXED while it waits for an open one; such issues stay closed on GitHub alone until then',
  },
  {
    name: 'use_see_also',
    value: '0',
    isUsed: writes,
    words: 'bugs cannot name their issue in See Also, so a comment does instead; switch the parameter on for a quieter tracker',
  },
  {
    name: 'usetargetmilestone',
    value: '0',
    isUsed: ({ milestones }) => milestones,
    words: 'the tracker has no target milestones, so milestones: true does nothing; take it out, or switch the parameter on',
  },
];

function find({ route, tracker: { parameters } }: Pick<Site, 'route' | 'tracker'>): readonly Finding[] {
  const untold = known.filter(({ name, isUsed }) => parameters?.[name] === undefined && isUsed(route)).map(({ name }) => name);
  const inTheWay = known.filter(({ name, value, isUsed }) => parameters?.[name] === value && isUsed(route));
  return [
    ...inTheWay.map(({ name, value, words }) => warning(`${name} is ${value === '1' ? 'on' : 'off'}: ${words}`)),
    ...(untold.length === 0
      ? []
      : [
          warning(
            `the tracker does not tell ${untold.join(', ')}, so nobody has looked whether they are in the way: ask an administrator of the tracker`,
          ),
        ]),
  ];
}
