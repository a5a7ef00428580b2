import { parseConfig } from '../../src/config/load.ts';
import { ConfigProblems } from '../../src/config/problem.ts';

/** The least that a configuration needs. */
export const smallest = `instance: acme
tracker:
  url: https://bugs.example.org
  apiKey: "\${TRACKER_API_KEY}"
github:
  token: "\${GITHUB_TOKEN}"
routes:
  - name: widget
    tracker: { product: Widget, component: Core }
    github: { repo: acme/widget }
`;

export const env = { TRACKER_API_KEY: 'Kq83vEjRWeJA', GITHUB_TOKEN: 'ghp_Zx81LmNo' };

/** The problems of a configuration as `line:column message`. */
export function problemsOf(text: string, environment: Readonly<Record<string, string>> = env): string[] {
  try {
    parseConfig(text, 'bridge.yaml', environment);
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

/** The smallest configuration with one text replaced, which must stand in it. */
export function changed(from: string, to: string): string {
  if (!smallest.includes(from)) throw new Error(`not in the sample: ${from}`);
  return smallest.replace(from, to);
}

/** The smallest configuration with more keys in its route. */
export const withRoute = (...lines: string[]): string => `${smallest}${lines.map((line) => `    ${line}\n`).join('')}`;
/** The line on which those keys begin. */
export const routeLine = smallest.split('\n').length;
