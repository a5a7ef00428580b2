import { row, type TrackerVersion } from '../installation/versions.ts';

/** Files and lines in which the server fails by itself: those of 5.0 and 5.2, and those of 5.3. */
const places = {
  /** message_last_visit; 5.3 does not fail there. */
  lastVisits: [
    ['WebService/BugUserLastVisit.pm', 78],
    ['WebService/BugUserLastVisit.pm', 78],
  ],
  /** message_flags_hash, message_flags_texts */
  flags: [
    ['WebService/Util.pm', 49],
    ['API/1_0/Util.pm', 65],
  ],
  flag: [
    ['WebService/Util.pm', 50],
    ['API/1_0/Util.pm', 66],
  ],
  /** message_tags_hash */
  tags: [
    ['WebService/Bug.pm', 1160],
    ['API/1_0/Resource/Bug.pm', 1373],
  ],
  comment: [
    ['WebService/Bug.pm', 649],
    ['API/1_0/Resource/Bug.pm', 817],
  ],
  relation: [
    ['Bug.pm', 2471],
    ['Bug.pm', 2568],
  ],
  relations: [
    ['Bug.pm', 2476],
    ['Bug.pm', 2573],
  ],
  /** update_keywords_array */
  keywords: [
    ['Bug.pm', 2492],
    ['Bug.pm', 2589],
  ],
  /** message_keywords_text */
  list: [
    ['Bug.pm', 2556],
    ['Bug.pm', 2661],
  ],
  privacy: [
    ['Bug.pm', 2592],
    ['Bug.pm', 2697],
  ],
} as const;
export type CodeLocation = keyof typeof places;

/** A message that the versions word differently. */
export type Message = Readonly<Record<TrackerVersion, string>>;

const alike = (text: string): Message => row(text, text, text, text);
const exceptHarmony = (text: string, harmony: string): Message => row(text, text, text, harmony);

/** A text that all versions have in common, or each its own. */
export const messageOf = (text: string | Message): Message => (typeof text === 'string' ? alike(text) : text);

/** Messages by version, each with a recording that has it. */
export const messages = {
  /** get_missing */
  bugMissing: (id: number | string) => exceptHarmony(`Bug #${id} does not exist.`, `Bug ${id} does not exist.`),
  /** get_hidden_bob, auth_header_bearer */
  bugHidden(id: number, hint: string) {
    return exceptHarmony(
      `You are not authorized to access bug #${id}.${hint}`,
      `You are not authorized to access bug ${id}.${hint}`,
    );
  },
  /** get_comma */
  notABug(text: string) {
    const harmony = `Sorry, I can't find "${text}". It does not seem like bug number nor an alias to a bug.`;
    return exceptHarmony(`'${text}' is not a valid bug number nor an alias to a bug.`, harmony);
  },
  /** create_alias_taken */
  aliasTaken(owner: number, alias: string) {
    const text = `Bug ${owner} has already taken the alias ${alias}.`;
    const using = `Bug ${owner} is currently using the alias ${alias}. Please choose another alias or visit that bug and change its alias.`;
    const [short, long] = [`${text} Please choose another one.`, `${text} Please choose another alias.`];
    return row(long, long, using, short);
  },
  /** update_keyword_unknown */
  noSuchKeyword(name: string) {
    const text = `There is no keyword named '${name}'.`;
    return exceptHarmony(
      `${text} See the list of available keywords.`,
      `${text} The legal keyword names are listed here.`,
    );
  },
  /** update_bob_no_rights. Without either value, 5.0 and 5.2 leave a space before the comma; harmony always does. */
  changeRefused(label: string, from: string, to: string, who: string) {
    const harmonyLabel = label === 'Duplicate' ? 'Duplicate of' : label;
    const values = from + to === '' ? ' ' : `${from}${to}`;
    const how =
      'If you are attempting to confirm an unconfirmed bug or edit the fields of a bug, find out how to get the necessary permissions.';
    const stock = `You tried to change the ${label} field${values}, but only ${who}.`;
    return row(
      stock,
      stock,
      `You tried to change the ${label} field${from}${to}, but only ${who}.`,
      `You tried to change the ${harmonyLabel} field${from}${to} , but only ${who}. ${how}`,
    );
  },
  /** search_bad_field_boolean, search_chart_tags */
  badFieldName: (name: string) =>
    exceptHarmony(`Can't use "${name}" as a field name.`, `Can't use ${name} as a field name.`),
  /** message_alias_comma, on harmony */
  aliasParted(alias: string) {
    const why =
      'Aliases cannot contain commas or spaces because those characters are used to separate aliases from each other in lists.';
    const text = `The alias you entered, ${alias}, contains one or more commas or spaces. ${why}`;
    return exceptHarmony(
      `${text} Please choose another alias.`,
      `${text} Please choose an alias that does not contain commas and spaces.`,
    );
  },
  /** message_quick_field */
  noField: (names: string) =>
    exceptHarmony(`${names} The legal field names are listed here.`, `${names} The valid field names are listed here.`),
  /** message_see_also_path */
  longSeeAlso(path: string, max: number) {
    const text = (can: string): string => `Bug URLs ${can} be longer than ${max} characters long. ${path} is too long.`;
    return exceptHarmony(text('cannot'), text('can not'));
  },
  /** err_malformed_json */
  badJson(why: string) {
    const text = (place: string): string =>
      `Could not parse the 'params' argument as valid JSON. Error: ${why} at ${place}. Value:`;
    const old = (line: number): string => text(`Bugzilla/WebService/Server/REST.pm line ${line}`);
    return row(
      old(384),
      text('bugzilla/Bugzilla/WebService/Server/REST.pm line 384'),
      text('Bugzilla/API/1_0/Server.pm line 339'),
      old(363),
    );
  },
  /** Where the server fails by itself. Harmony does not say so. */
  failedAt(what: string, place: CodeLocation) {
    const text = (folder: string, [file, line]: readonly [file: string, line: number]): string =>
      `${what} at ${folder}Bugzilla/${file} line ${line}.\n`;
    const [old, new_] = places[place];
    return row(text('', old), text('bugzilla/', old), text('', new_), text('', old));
  },
  /** err_text_plain; only 5.3 refuses it. */
  badBodyType: (type: string) =>
    `When using JSON-RPC over POST, you cannot send data as ${type}. Only application/json and application/json-rpc are allowed.`,
  /** update_see_also_bad */
  badSeeAlso(url: string) {
    const text = (places: string): string =>
      `${url} is not a valid URL to a bug. See Also URLs should point to one of: show_bug.cgi in a Bugzilla installation. ${places}`;
    const trackers =
      'An issue in a JIRA installation. A ticket in a Trac installation. A bug in a MantisBT installation.';
    const last = 'An issue/pull request on github.com.';
    const [launchpad, google] = ['A bug on launchpad.net', 'An issue on code.google.com.'];
    const old = text(`${launchpad} ${google} A bug on bugs.debian.org. ${trackers} A bug on sourceforge.net. ${last}`);
    const gnu = 'A bug on bugs.debian.org or debugs.gnu.org.';
    const more =
      'An issue/merge request on a GitLab system. A question on support.mozilla.org. An Aha feature on aha.io. An issue on webcompat.com. ' +
      'A request on ServiceNow. A ticket on hellosplat.com. A revision, support ticket, or task in Phabricator. A Mozilla Sentry issue.';
    const browsers =
      'An issue on bugs.chromium.org. An issue on developer.microsoft.com. An issue on wpdev.uservoice.com/forums';
    return row(
      old,
      old,
      text(`${launchpad}. ${google} ${gnu} ${trackers} A bug or ticket on sourceforge.net. ${last}`),
      text(
        `${launchpad}. ${google} ${browsers} A bug on bugs.debian.org. ${trackers} A bug on sourceforge.net. ${last} ${more}`,
      ),
    );
  },
};
