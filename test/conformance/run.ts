import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ok } from './judge.ts';
import { isContent, report } from './report.ts';
import { cases, type Result, runSuite } from './suite.ts';
import { Tracker } from './tracker.ts';

/** `npm run conformance`: the suite against any live tracker. */

const help = `Usage: npm run conformance -- --url URL --key KEY [options]

Checks a tracker against the REST interface, by what it answers over HTTP alone.

  --url URL          where the tracker is, without /rest
  --key KEY          API key of an account that may file and edit bugs; the more it may, the more is checked
  --other-key KEY    API key of somebody who is no insider; without it, rights are not checked
  --product P        where bugs are filed; otherwise the product with most to choose from
  --component C      its component; otherwise the first
  --json             all results as JSON instead of a table
  --help             this text

It files about two hundred small bugs ("Conformance ...") and closes them at the end; bugs cannot be deleted over REST.
The tracker may send e-mails about them. One request at a time; a run takes some minutes.
Ends with 0 when nothing differs but what the tracker's version is known for, and with 1 otherwise.
`;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    key: { type: 'string' },
    'other-key': { type: 'string' },
    product: { type: 'string' },
    component: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Nothing is printed but through here: keys do not show, whatever a tracker writes into its answers. */
const secrets = [values.key, values['other-key']].filter((secret) => secret !== undefined && secret !== '');
const hidden = (text: string): string =>
  secrets.reduce<string>((shown, secret) => shown.replaceAll(String(secret), '***'), text);
const say = (text: string): boolean => process.stdout.write(hidden(text));
const tell = (text: string): boolean => process.stderr.write(hidden(text));

async function main(): Promise<number> {
  if (values.help) {
    say(help);
    return 0;
  }
  const { url, key, product, component } = values;
  const otherKey = values['other-key'];
  if (url === undefined || key === undefined) {
    tell('Give at least --url and --key; --help tells more.\n');
    return 1;
  }
  const tracker = new Tracker({
    url,
    key,
    run: `r${randomBytes(3).toString('hex')}`,
    pause: async (delayMs) => pause(delayMs),
    ...(otherKey === undefined ? {} : { otherKey }),
    ...(product === undefined ? {} : { product }),
    ...(component === undefined ? {} : { component }),
  });
  try {
    ok(await tracker.main.get('/version'));
    await tracker.scratch();
  } catch (error) {
    tell(`The run cannot begin: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  const results = await runSuite(tracker, cases, progress());
  tell('\n');
  say(values.json ? `${JSON.stringify(results, null, 2)}\n` : `${report(results)}\n`);
  return isContent(results) ? 0 : 1;
}

/** A sign for each case, a line for each section. */
function progress(): (result: Result) => void {
  let section = '';
  const signs = { passed: '.', differs: 'D', known: 'k', 'not offered': '-' };
  return (result) => {
    if (result.section !== section) tell(`\n${result.section.padEnd(6)}`);
    section = result.section;
    tell(signs[result.verdict.kind]);
  };
}

process.exitCode = await main().catch((error: unknown) => {
  tell(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
