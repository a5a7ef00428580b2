import type { AttachmentRule, Limits, Route } from '../../src/model/route.ts';
import type { TrackerVersion } from '../../src/sandbox/tracker/installation/versions.ts';

/** The route of most tests: product Widget to acme/widget, both ways. */
export const widgetRoute: Route = {
  name: 'widget',
  instance: 'acme',
  selection: { product: 'Widget', components: null, keyword: null, createdSinceAt: null, openOnly: false },
  owner: 'acme',
  repo: 'widget',
  webHost: 'github.com',
  label: null,
  direction: 'both',
  visitors: 'welcome',
  newBugUrl: 'https://bugs.example.test/enter_bug.cgi?product=Widget&component=Core',
  conflicts: 'newest',
  pointer: 'now',
  copies: 'leave',
  deletions: 'nothing',
  createFurther: {},
  create: {
    component: 'Core',
    version: 'unspecified',
    op_sys: 'All',
    platform: 'All',
    severity: 'normal',
    priority: '---',
  },
  status: {
    toGithub: {
      UNCONFIRMED: { state: 'open', label: null },
      CONFIRMED: { state: 'open', label: null },
      IN_PROGRESS: { state: 'open', label: 'status: in progress' },
      RESOLVED: closed(),
      VERIFIED: closed(),
    },
    reopened: 'CONFIRMED',
    completed: ['RESOLVED', 'FIXED'],
    notPlanned: ['RESOLVED', 'WONTFIX'],
  },
  labels: [
    { from: 'component', as: 'component: {value}', both: false },
    { from: 'severity', as: 'severity: {value}', both: true },
    { from: 'keywords', as: '{value}', both: true },
  ],
  attachments: null,
  people: { github: new Map(), tracker: new Map(), nobody: [] },
  assignee: false,
  milestones: false,
  mentions: false,
  dependencies: false,
  table: [],
  thumbsUp: false,
  visibilityCheck: 'none',
  isEnabled: true,
  lagMaxMs: 3_900_000,
  contact: null,
  // Otherwise each plan for the tracker takes one more request, and every drawn fault meets another one.
  privateRepository: 'mirror',
};

/**
 * A second route, for what the first cannot show: capitals in the names, two components of three, a keyword, and a label
 * that issues need.
 */
export const gadgetRoute: Route = {
  ...widgetRoute,
  name: 'gadget',
  selection: { ...widgetRoute.selection, product: 'Gadget', components: ['Core', 'Web UI'], keyword: 'Mirror' },
  owner: 'Acme-Labs',
  repo: 'Gadget',
  label: 'Mirrored',
};

const movingWidget: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };

/** Two routes, one for each product of the tracker, between which bugs and issues move. */
export const moving = {
  widget: movingWidget,
  gadget: {
    ...movingWidget,
    name: 'gadget',
    repo: 'gadget',
    selection: { ...movingWidget.selection, product: 'Gadget' },
    create: { ...movingWidget.create, component: 'Firmware', version: 'A1' },
  },
} as const satisfies Readonly<Record<string, Route>>;

/** The same route on a tracker of that version: harmony asks for a type, and calls no priority otherwise. */
export const routeOn = (version: TrackerVersion, route: Route): Route =>
  version === 'harmony'
    ? { ...route, createFurther: { type: 'defect' }, create: { ...route.create, priority: '--' } }
    : route;

/** Files stand on a branch of the route's own repository. */
export const branchRule: AttachmentRule = {
  store: 'branch',
  owner: 'acme',
  repo: 'widget',
  branch: 'attachments',
  tag: 'attachments',
  bytesMax: 100_000,
};

export const testLimits: Limits = { writesPerCycle: 500, brakeShare: 1, settleMs: 10_000, attempts: 20 };

function closed() {
  return {
    FIXED: { state: 'completed', label: null },
    DUPLICATE: { state: 'duplicate', label: null },
    '*': { state: 'not_planned', label: null },
  } as const;
}
