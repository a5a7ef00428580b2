import type { Config } from './config.ts';

/**
 * One route into another repository, with a state file of its own beside the real one. Files go there too, and the tracker is
 * only read: a bug must not name an issue that will be deleted.
 */
export function rehearsed(config: Config, route: Config['routes'][number], repo: string): Config {
  const { attachments } = route;
  const shelf = attachments === undefined || attachments.repo === undefined ? {} : { attachments: { ...attachments, repo } };
  return {
    ...config,
    state: stateBeside(config.state, repo),
    routes: [{ ...route, ...shelf, direction: 'to-github', github: { ...route.github, repo } }],
  };
}

/** `state/bugferry.db` becomes `state/bugferry.rehearsal-acme-trial.db`. */
function stateBeside(state: string, repo: string): string {
  const [, stem = state, ending = ''] = /^(.*?)(\.[^./\\]+)?$/u.exec(state) ?? [];
  return `${stem}.rehearsal-${repo.toLowerCase().replace('/', '-')}${ending}`;
}
