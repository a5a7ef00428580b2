import type { Route } from '../model/route.ts';
import type { Site, Topic } from './site.ts';
import { type Finding, warning } from './verdict.ts';

/** Parameters of the tracker that make it refuse or ignore what the bridge writes. */
export const settings: Topic = { name: 'tracker settings', fine: 'no tracker setting blocks the bridge', find };

interface Setting {
  readonly name: string;
  /** The value that causes trouble. */
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
    words: 'closing a bug requires a comment, so closing an issue is refused and parked; turn the parameter off',
  },
  {
    name: 'commentonduplicate',
    value: '1',
    isUsed: writes,
    words:
      'marking a duplicate requires a comment, so duplicates from GitHub are refused and parked; turn the parameter off',
  },
  {
    name: 'noresolveonopenblockers',
    value: '1',
    isUsed: writes,
    words:
      'a bug cannot be closed as FIXED while it depends on an open bug; until then, such issues are closed on GitHub only',
  },
  {
    name: 'use_see_also',
    value: '0',
    isUsed: writes,
    words: 'See Also cannot link the issue, so a comment does; turn the parameter on to avoid these comments',
  },
  {
    name: 'usetargetmilestone',
    value: '0',
    isUsed: ({ milestones }) => milestones,
    words:
      'the tracker has no target milestones, so milestones: true has no effect; remove it, or turn the parameter on',
  },
];

function find({ route, tracker: { parameters } }: Pick<Site, 'route' | 'tracker'>): readonly Finding[] {
  const unreported = known
    .filter(({ name, isUsed }) => parameters?.[name] === undefined && isUsed(route))
    .map(({ name }) => name);
  const inTheWay = known.filter(({ name, value, isUsed }) => parameters?.[name] === value && isUsed(route));
  return [
    ...inTheWay.map(({ name, value, words }) => warning(`${name} is ${value === '1' ? 'on' : 'off'}: ${words}`)),
    ...(unreported.length === 0
      ? []
      : [
          warning(
            `the tracker does not report ${unreported.join(', ')}, so these were not checked: ask an administrator of the tracker`,
          ),
        ]),
  ];
}
