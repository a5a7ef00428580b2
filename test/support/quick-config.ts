/** Parts of a configuration file for programs that run for real, without the pauses that the real GitHub asks for. */
export const quickSchedule = { poll: '* * * * * *', sweep: '*/4 * * * * *' };

export const quickLimits = (requestsPerSecond: number) => ({
  brakeShare: 1,
  settleSeconds: 2,
  github: { createsPerMinute: 50_000, createsPerHour: 50_000, pointsPerMinute: 500_000, pauseBetweenWritesMs: 5 },
  tracker: { requestsPerSecond, concurrency: 2 },
});

/** Every status of a stock tracker, and open ones in progress by a label. */
export const stockStatus = {
  toGithub: {
    UNCONFIRMED: 'open',
    CONFIRMED: 'open',
    IN_PROGRESS: { open: { label: 'status: in progress' } },
    RESOLVED: { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' },
    VERIFIED: { FIXED: 'completed', DUPLICATE: 'duplicate', '*': 'not_planned' },
  },
};
