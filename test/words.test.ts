/**
 * The project uses the field's words: none of its former private ones is left in an identifier, a file name, a comment, a message or a
 * document.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documents } from './docs/documents.ts';
import { tokensOf } from './support/tokens.ts';

const root = join(import.meta.dirname, '..');

interface Rule {
  /** A whole word in lower case. An identifier consists of several: camel case separates them. */
  readonly word: RegExp;
  readonly better: string;
  /** An example, for the tests of this file. */
  readonly left: string;
  /** The word is the field's own if this matches the identifier with its surroundings, the comment, or the message. */
  readonly honest?: RegExp;
  /** Files in which it is the field's own. */
  readonly honestIn?: RegExp;
  /** Where the word is wrong, if not everywhere. */
  readonly only?: 'functions' | 'names' | 'documents';
}

const rules: readonly Rule[] = [
  {
    word: /^entr(?:y|ies)$/u,
    better: 'comment link',
    left: 'entry',
    // Entries of objects and folders; names of Node.js and of the tracker. Git has entries of trees, YAML those of mappings.
    honest: /\.entries|fromEntries|throwIfNoEntry|bug[-_]entry|entry_control|table entries|folder/u,
    honestIn: /git|config|\.md$/u,
  },
  { word: /^enclosures?$/u, better: 'attachment link', left: 'enclosure' },
  { word: /^shel(?:f|ves|ved?|ving)$/u, better: 'attachment store', left: 'shelf' },
  { word: /^parcels?$/u, better: 'upload', left: 'parcel' },
  { word: /^desks?$/u, better: 'attachment client, command context', left: 'desk' },
  { word: /^errands?$/u, better: 'command', left: 'errand' },
  { word: /^farewells?$/u, better: 'cutover notice', left: 'farewell' },
  { word: /^flights?$/u, better: 'import', left: 'flights', honest: /in[- ]?flight/iu },
  { word: /^insist(?:s|ed|ing)?$/u, better: 'submit with fallback', left: 'insist' },
  // A field of a line of the log.
  { word: /^(?:doors?|porch)$/u, better: 'HTTP server', left: 'door' },
  // Dashboards have panels.
  { word: /^panels?$/u, better: 'admin port', left: 'panel', honestIn: /monitoring/u },
  { word: /^stations?$/u, better: 'route runner', left: 'station' },
  // The tracker remembers last visits and asks to visit a bug in a message, and `yaml` visits nodes.
  { word: /^visit(?:s|ed)?$/u, better: 'run', left: 'visit', honest: /last ?_?visit|visit that bug/iu, honestIn: /config\/source/u },
  { word: /^rounds?$/u, better: 'pass', left: 'round', honest: /Math\.round|round ?trip|way round/iu },
  { word: /^(?:witness(?:es)?|strangers?)$/u, better: 'anonymous reader', left: 'stranger' },
  { word: /^discreet$/u, better: 'redacted', left: 'discreet' },
  // A value that `audit` prints.
  { word: /^(?:un)?pro(?:ves?|ved|ven|ving|ofs?)$/u, better: 'check', left: 'proof', honest: /['" ]unproved['" ]|unproved: / },
  {
    word: /^fold(?:s|ed|ing)?$/u,
    better: 'minimize, collapse',
    left: 'fold',
    // Case is folded, and so are long headers of mail and values of YAML. A part of stored keys.
    honest: /case[- ]?fold|header|YAML|into one line|search_summary_fold|:fold:/iu,
  },
  {
    word: /^letters?$/u,
    better: 'character',
    left: 'letters',
    // Letters in the strict sense: not digits, signs or white space.
    honest: /letters?(?:,| or| and) |digit|script|letter-spacing|a letter\b|one letter|ASCII|neighbours|small letters/iu,
  },
  { word: /^tangle[sd]?$/u, better: 'pathological Markdown', left: 'tangle' },
  { word: /^sights?$/u, better: 'plan input', left: 'sight' },
  { word: /^scenes?$/u, better: 'plan context, scenario', left: 'scene' },
  { word: /^(?:flock|eavesdrop\w*|rumours?)$/u, better: 'canaries, leaks, hints', left: 'flock' },
  { word: /^intends?$/u, better: 'mark sent', left: 'intend', only: 'names' },
  { word: /^wake$/u, better: 'mark dirty', left: 'wake', only: 'functions' },
  { word: /^rest$/u, better: 'clear dirty', left: 'rest', only: 'functions' },
  // A terminal prints notes.
  { word: /^note$/u, better: 'persist plan', left: 'note', only: 'functions', honestIn: /src\/cli/u },
  { word: /^look$/u, better: 'plan cycle', left: 'look', only: 'functions' },
  { word: /^(?:somebody|whoever)$/u, better: 'someone, anyone who', left: 'somebody', only: 'documents' },
  { word: /^told$/u, better: 'reported', left: 'told', only: 'documents' },
];

/** Some words at one place. */
interface Spot {
  readonly place: string;
  readonly kind: 'name' | 'function' | 'prose' | 'document';
  readonly words: readonly string[];
  /** The words as they are written, with their surroundings. */
  readonly text: string;
}

const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);

/** Whether the word of a rule is wrong at such a spot. */
function isMeant({ only }: Rule, { kind, words }: Spot): boolean {
  if (only === 'functions') return kind === 'function' && words.length === 1;
  if (only === 'names') return kind === 'function' || kind === 'name';
  return only === undefined || kind === 'document';
}

const ruled = new Map<string, boolean>();

/** Whether there is a rule for the word. Few words have one, and most come again and again. */
function isRuled(word: string): boolean {
  const known = ruled.get(word) ?? rules.some((rule) => rule.word.test(word));
  ruled.set(word, known);
  return known;
}

const complaintsOf = (file: string, spots: readonly Spot[]): readonly string[] =>
  spots.flatMap((spot) =>
    (spot.words.some(isRuled) ? rules : []).flatMap((rule) => {
      const word = spot.words.find((each) => rule.word.test(each));
      const isHonest = rule.honest?.test(spot.text) || rule.honestIn?.test(file);
      return word === undefined || isHonest || !isMeant(rule, spot) ? [] : [`${spot.place}: "${word}", better: ${rule.better}`];
    }),
  );

/** Identifiers, comments, and texts of several words: other texts are keys, addresses and the like. */
const spotsOfCode = (file: string, source: string): readonly Spot[] =>
  tokensOf(source).flatMap(({ kind, text, line, around }): readonly Spot[] => {
    const place = `${file}:${line}`;
    if (kind === 'identifier') {
      const words = wordsOf(text);
      if (!words.some(isRuled)) return [];
      const isFunction = new RegExp(`(?<![\\w$])${text.replaceAll('$', '\\$')}(?:<[^>]*>)?(?:\\(| = (?:async )?[(<])`, 'u').test(around);
      return [{ place, kind: isFunction ? 'function' : 'name', words, text: around }];
    }
    const isProse = kind === 'comment' || (kind === 'string' && /\p{L} \p{L}/u.test(text));
    return isProse ? [{ place, kind: 'prose', words: wordsOf(text), text }] : [];
  });

/** A document without its code, its examples and the targets of its links. */
const proseOf = (text: string): string =>
  text
    .replace(/^(~{3,}|`{3})[^\n]*\n[\s\S]*?^\1$/gmu, (block) => block.replace(/[^\n]/gu, ''))
    .replace(/^ {4}.*$/gmu, '')
    .replace(/`[^`\n]*`/gu, '')
    .replace(/\]\([^)]*\)/gu, ']');

const spotsOfLines = (file: string, text: string, kind: Spot['kind']): readonly Spot[] =>
  text.split('\n').map((line, index) => ({ place: `${file}:${index + 1}`, kind, words: wordsOf(line), text: line }));

function complaintsAbout(file: string, text: string): readonly string[] {
  const inside = file.endsWith('.ts')
    ? spotsOfCode(file, text)
    : file.endsWith('.md')
      ? spotsOfLines(file, proseOf(text), 'document')
      : spotsOfLines(file, text, 'prose');
  return complaintsOf(file, [{ place: file, kind: 'name', words: wordsOf(file), text: file }, ...inside]);
}

/** This file must contain the words; the changelog reports the past. */
const exempt: readonly string[] = ['test/words.test.ts', 'CHANGELOG.md'];

const files = [...globSync(['{src,test,scripts}/**/*.ts', 'src/**/*.{sql,css,js}'], { cwd: root }), ...documents].filter(
  (file) => !exempt.includes(file),
);

const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

describe('words', () => {
  test.each([...new Set(files.map(folderOf))].sort())("in %s are the field's", (folder) => {
    const inFolder = files.filter((file) => folderOf(file) === folder);
    expect(inFolder.flatMap((file) => complaintsAbout(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  const everywhere = rules.filter(({ only }) => only === undefined);

  test.each(everywhere)('"$left" is noticed wherever it is', ({ left, better, honestIn }) => {
    const capital = `${left.charAt(0).toUpperCase()}${left.slice(1)}`;
    const planted: readonly (readonly [file: string, text: string])[] = [
      ['src/rules/limits/brake-and-budget.ts', `const ${left} = 1;`],
      ['src/rules/limits/brake-and-budget.ts', `interface New${capital}Of { readonly id: number }`],
      ['src/rules/limits/brake-and-budget.ts', `/** It has a ${left}. */`],
      ['src/rules/limits/brake-and-budget.ts', `// It has a ${left}.\nconst found = 1;`],
      ['src/rules/limits/brake-and-budget.ts', `throw new Error(\`The ${left} of \${name} is gone\`);`],
      ['test/kernel/order.test.ts', `test('has a ${left} again', () => {});`],
      [`test/kernel/${left}.test.ts`, ''],
      [`test/kernel/small-${left}.ts`, ''],
      ['src/store/migrations/002-more.sql', `-- Has a ${left}.`],
      ['docs/operating.md', `Everything has a ${left}.`],
    ];
    for (const [file, text] of planted.filter(([each]) => !honestIn?.test(each)))
      expect(complaintsAbout(file, text), `${file}: ${text}`).toEqual([expect.stringContaining(better)]);
  });

  test.each(['wake', 'rest', 'note', 'look'])('"%s" is noticed as a function', (left) => {
    for (const text of [
      `${left}(link);`,
      `store.${left}(link);`,
      `function ${left}(link: Link): void {}`,
      `const ${left} = async (link) => {};`,
    ])
      expect(complaintsAbout('src/sync/perform/record.ts', text), text).toHaveLength(1);
    for (const text of [`const { id, ...${left} } = link;`, `/** A ${left}. */`, `const ${left} = text.slice(1);`, `${left}Of(link);`])
      expect(complaintsAbout('src/sync/perform/record.ts', text), text).toEqual([]);
  });

  test.each(['somebody', 'whoever', 'told', 'intend'])('"%s" is noticed where it is wrong', (left) => {
    const [file, text] =
      left === 'intend' ? ['src/sync/perform/record.ts', 'intend(operation);'] : ['docs/operating.md', `To ${left} it is said.`];
    expect(complaintsAbout(file, text)).toHaveLength(1);
    expect(complaintsAbout('src/sync/perform/record.ts', `/** People ${left} it. */`)).toEqual([]);
  });

  test.each([
    ['src/rules/limits/brake-and-budget.ts', 'for (const [index, each] of list.entries()) Object.fromEntries(Object.entries(each));'],
    ['src/github/attachments/git-data.ts', 'export interface TreeEntry { readonly path: string }'],
    ['src/config/people.ts', '/** The entry of one person. */'],
    ['src/migrate/migration.ts', 'const inFlight = 1; /** Imports in flight. */'],
    ['src/rules/limits/brake-and-budget.ts', 'const [first, ...rest] = [Math.round(1.5)]; // REST has a rest.'],
    ['src/rules/limits/brake-and-budget.ts', "/** Whether a comment can make a round trip. */ const path = '/rest/bug_user_last_visit/1';"],
    ['src/sandbox/tracker/search/words.ts', 'const caseFolded = (text: string): string => text; // Unfolds a folded header of mail.'],
    ['src/config/check.ts', "const why = 'must have 1 to 40 letters, digits and hyphens';"],
    ['src/rules/labels/labels-and-fields.ts', "const directions = ['both']; const release = 'release notes';"],
    ['docs/monitoring.md', 'Import the dashboard; its panels are described below.'],
    ['docs/operating.md', 'In `test/contract/shelf.ts` and [there](shelf.md).\n\n    npm run shelf\n\n~~~\nshelf\n~~~\n'],
    ['docs/operating.md', 'Read the release notes, and look at the notes of the last pass.'],
  ])("the field's own words in %s are not: %s", (file, text) => {
    expect(complaintsAbout(file, text)).toEqual([]);
  });

  test('are found inside of templates and behind patterns, and never in a pattern', () => {
    expect(
      complaintsAbout('src/rules/limits/brake-and-budget.ts', ['const at = `', '{shelfOf(1)} and ', '{`', '{desk}`}`;'].join('$')),
    ).toHaveLength(2);
    expect(complaintsAbout('src/rules/limits/brake-and-budget.ts', "const at = text.replace(/[/'`]shelf/gu, '') / shelf;")).toHaveLength(1);
  });
});
