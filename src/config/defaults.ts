/**
 * What a route does when it does not say otherwise. Statuses of both of the tracker's stock workflows (NEW, ASSIGNED and REOPENED are
 * the older one) are mapped, so that a default map fits either.
 */
const closedByResolution = { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' } as const;

export const defaultToGithub = {
  UNCONFIRMED: 'open',
  NEW: 'open',
  CONFIRMED: 'open',
  ASSIGNED: 'open',
  IN_PROGRESS: 'open',
  REOPENED: 'open',
  RESOLVED: { ...closedByResolution },
  VERIFIED: { ...closedByResolution },
  CLOSED: { ...closedByResolution },
} as const;

export const defaultToTracker = {
  reopened: 'CONFIRMED',
  completed: ['RESOLVED', 'FIXED'],
  not_planned: ['RESOLVED', 'WONTFIX'],
} as const;

export const defaultLabels = [
  { from: 'component', as: 'component: {value}', both: false },
  { from: 'severity', as: 'severity: {value}', both: true },
  { from: 'keywords', as: '{value}', both: true },
] as const;
