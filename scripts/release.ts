/**
 * Checks that a release is ready, and prints or runs the git commands that make it: `npm run release -- 0.2.0`, see
 * CONTRIBUTING.md. It works on the repository in the current folder, and never pushes.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const help = `Usage: npm run release -- VERSION [options]

Checks that package.json, package-lock.json and the top section of CHANGELOG.md agree on VERSION, that main is checked out with nothing
uncommitted, and that the tag is new. Then it prints the git commands for the release. Exit code 1 means that something disagrees, 2
that the command line is wrong.

  --tag      creates the tag (it pushes nothing)
  --dry-run  goes through all that the tag would start: makes the package, the bill of materials and the notes in the folder release, and
             prints the commands that need the network
  --help     this text`;

interface Wish {
  readonly version: string;
  readonly isTagging: boolean;
  readonly isDry: boolean;
}

/** Throws an `Error` for people if the command line is wrong; null asks for the help. */
function wishOf(args: readonly string[]): Wish | null {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { tag: flag, 'dry-run': flag, help: flag },
  });
  if (values.help) return null;
  const [version = '', ...more] = positionals;
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/u.test(version) || more.length > 0)
    throw new Error('Name one version, such as 0.2.0, without a "v".');
  return { version, isTagging: values.tag, isDry: values['dry-run'] };
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
const tagOf = (version: string): string => `v${version}`;

/** The obstacles to the release; empty if there are none. */
function complaintsAbout(version: string): readonly string[] {
  const { version: packaged } = JSON.parse(readFileSync('package.json', 'utf8'));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const heading = /^## (.*)$/mu.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1] ?? 'missing';
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  const isReleased = heading.startsWith(`${version} (`) && /\(\d{4}-\d{2}-\d{2}\)$/u.test(heading);
  return [
    ...(packaged === version ? [] : [`package.json has version ${packaged}`]),
    ...(lock.version === version && lock.packages[''].version === version
      ? []
      : ['package-lock.json has another version: run npm install']),
    ...(isReleased ? [] : [`the top section of CHANGELOG.md is "${heading}", not "${version} (YYYY-MM-DD)"`]),
    ...(branch === 'main' ? [] : [`${branch} is checked out, not main`]),
    ...(git('status', '--porcelain') === '' ? [] : ['there are uncommitted changes']),
    ...(git('tag', '--list', tagOf(version)) === '' ? [] : [`the tag ${tagOf(version)} exists already`]),
  ];
}

/** The steps of .github/workflows/release.yml, in order, for the repository in the environment. */
const steps = ['base', 'build', 'try', 'name', 'login', 'push', 'prepare', 'join', 'sign', 'package', 'notes'] as const;

function goThrough(version: string): number {
  const given = {
    VERSION_TAG: tagOf(version),
    GITHUB_REPOSITORY: 'OWNER/REPOSITORY',
    BASE: 'node:24-slim@sha256:DIGEST',
  };
  for (const step of steps) {
    console.log(`== ${step}`);
    const { status } = spawnSync('sh', ['scripts/publish.sh', step], {
      stdio: 'inherit',
      env: { ...given, ...process.env, DRY_RUN: '1' },
    });
    if (status !== 0) return 1;
  }
  console.log('== The files are in the folder release. Nothing was published.');
  return 0;
}

/** The exit code. */
function release({ version, isTagging, isDry }: Wish): number {
  const complaints = complaintsAbout(version);
  if (complaints.length > 0) {
    console.error([`${version} is not ready:`, ...complaints.map((each) => `  ${each}`)].join('\n'));
    return 1;
  }
  if (isDry) return goThrough(version);
  const message = `bugferry ${version}`;
  const push = `  git push origin main ${tagOf(version)}`;
  if (isTagging) {
    git('tag', '-a', tagOf(version), '-m', message);
    console.log(`Created the tag ${tagOf(version)}. To publish it:\n${push}`);
  } else console.log(`${version} is ready. To release it:\n  git tag -a ${tagOf(version)} -m '${message}'\n${push}`);
  return 0;
}

try {
  const wish = wishOf(process.argv.slice(2));
  if (wish === null) console.log(help);
  else process.exitCode = release(wish);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
