/** What the bridge writes can be read back: every text carries its marker, and no text can forge one. */

import { describe, expect, test } from 'vitest';
import { bodyDigest } from '../../src/rules/comments/body.ts';
import {
  bugComment,
  bugDescription,
  bugEdit,
  dayAndTime,
  issueBody,
  issueComment,
  pullText,
  pushText,
} from '../../src/rules/comments/compose.ts';
import { saysNothing, withoutHeadline } from '../../src/rules/privacy/neutral.ts';
import { issueFooter, withoutFooter } from '../../src/text/footer.ts';
import {
  editedLine,
  githubMarker,
  mirroredLine,
  parseGithubMarker,
  parseTrackerMarker,
  wroteLine,
} from '../../src/text/marker.ts';
import { noReferences } from '../../src/text/references.ts';
import { toTrackerText } from '../../src/text/to-tracker.ts';
import { aBug, aCommentLink, anIssue } from '../planner/samples.ts';
import { widgetRoute } from '../support/routes.ts';

const commentLink = { ...aCommentLink, text: 'Same here.' };
const forged = 'x <!-- bugferry:1 acme bug=99 -->';

describe('on GitHub', () => {
  test('an issue says who opened which bug when, and names it', () => {
    expect(issueBody(widgetRoute, aBug, { ...commentLink, text: 'It @crashes.' })[0]).toBe(
      '**bob** opened [bug 12](https://bugs.example.test/show_bug.cgi?id=12) on 1970-01-01 00:00 UTC:\n\nIt @\u200bcrashes.\n\n<!-- bugferry:1 acme bug=12 -->',
    );
  });

  test('an issue without a description still names its bug', () => {
    expect(parseGithubMarker('acme', issueBody(widgetRoute, aBug, null).join())).toEqual({ bug: 12, comment: null });
  });

  test.each([null, { ...commentLink, text: '' }, { ...commentLink, text: ' \n' }])(
    'a bug without a description that may be shown says so, and its body counts as ours: %j',
    (description) => {
      const body = issueBody(widgetRoute, aBug, description).join();
      expect(body).toMatch(/ opened \[bug 12\]\(\S+\) on \S+ \S+ UTC, without a public description\.\n\n<!-- /u);
      expect(saysNothing(withoutFooter(body))).toBe(true);
      expect(withoutHeadline(`${withoutFooter(body)}\n\nAdded by people.`)).toBe('Added by people.');
    },
  );

  test('a comment says who wrote which comment, and names it', () => {
    const text = issueComment(widgetRoute, 12, commentLink).join();
    expect(text).toContain(
      '**carol** wrote in [comment 1](https://bugs.example.test/show_bug.cgi?id=12#c1) on 1970-01-01 00:00 UTC:',
    );
    expect(parseGithubMarker('acme', text)).toEqual({ bug: 12, comment: 101 });
  });

  test.each([
    [
      'This bug has been marked as a duplicate of bug 7 ***',
      '*This bug has been marked as a duplicate of [bug 7](https://github.com/o/r/issues/9).*',
    ],
    [
      'Bug 7 has been marked as a duplicate of this bug. ***',
      '*[Bug 7](https://github.com/o/r/issues/9) has been marked as a duplicate of this bug.*',
    ],
  ])('what the tracker wrote under a comment is told from what the person wrote: %s', (added, said) => {
    const references = { ...noReferences, bug: () => 'https://github.com/o/r/issues/9' };
    const [text] = issueComment(
      widgetRoute,
      12,
      { ...commentLink, text: `The same *** crash.\n\n*** ${added}` },
      references,
    );
    expect(text).toContain(`UTC:\n\nThe same \\*\\*\\* crash.\n\n${said}\n\n<!--`);
  });

  const page = '[attachment 9](https://bugs.example.test/attachment.cgi?id=9)';
  test.each([
    ['Created attachment 9\nA *fix*\n\nPlease test.', `Attached ${page}: A \\*fix\\*\n\nPlease test.`],
    ['Created attachment 9\nlog.txt', `Attached ${page}: log.txt`],
    ['Created attachment 9\n\nPlease test.', `Attached ${page}\n\nPlease test.`],
    ['Comment on attachment 9\nlog.txt\n\nLooks good.', `On ${page}, log.txt:\n\nLooks good.`],
    ['Comment on attachment 9\n\nLooks good.', `On ${page}:\n\nLooks good.`],
    ['I created attachment 9\nlog.txt', 'I created attachment 9\nlog.txt'],
  ])('a comment that came with a file leads to it: %j', (text, said) => {
    expect(issueComment(widgetRoute, 12, { ...commentLink, text })[0]).toContain(`UTC:\n\n${said}\n\n<!--`);
  });

  test('a notice of the file itself stands in the place of that', () => {
    const [text] = issueComment(widgetRoute, 12, {
      ...commentLink,
      text: 'Please test.',
      notice: 'Attachment 9, [log.txt](<https://a.test>)',
    });
    expect(text).toContain('UTC:\n\nAttachment 9, [log.txt](<https://a.test>)\n\nPlease test.\n\n<!--');
  });

  test('a note in the middle of a comment was written by a person', () => {
    const [text] = issueComment(widgetRoute, 12, {
      ...commentLink,
      text: '*** Bug 7 has been marked as a duplicate of this bug. ***\nWhy?',
    });
    expect(text).toContain('\\*\\*\\* Bug 7 has');
  });

  test.each([forged, `${forged}\n`, '<!-- bugferry:1 acme bug=99 comment=7 -->', '-->'])(
    'text "%s" cannot forge a marker',
    (text) => {
      expect(parseGithubMarker('acme', issueComment(widgetRoute, 12, { ...commentLink, text }).join())).toEqual({
        bug: 12,
        comment: 101,
      });
      expect(
        issueComment(widgetRoute, 12, { ...commentLink, text })
          .join()
          .match(/<!-- bugferry/gu),
      ).toHaveLength(1);
    },
  );

  /** As both replicas put it there. */
  const under = (body: string) =>
    [body, issueFooter(widgetRoute, 12, aBug.url)].filter((part) => part !== '').join('\n\n');

  test('the footer under an issue of a person can be taken away again', () => {
    const body = under('It crashes.');
    expect(parseGithubMarker('acme', body)).toEqual({ bug: 12, comment: null });
    expect(withoutFooter(body)).toBe('It crashes.');
    expect(bodyDigest(body)).toBe(bodyDigest('It crashes.'));
  });

  const pasted = githubMarker('acme', { bug: 99, comment: null });
  test.each([
    ['with a forged marker', `It crashes.\n\n${pasted}`],
    ['with several', `It crashes.\n\n---\n*Mirrored as bug 9.*\n\n${pasted}\n\n${pasted}\r\n`],
    ['with our footer copied into it', under('It crashes.')],
  ])('a body that ends %s says the same before and after our footer stands under it', (_name, body) => {
    expect(withoutFooter(body)).toBe('It crashes.');
    expect(bodyDigest(under(body))).toBe(bodyDigest(body));
  });

  test('a body of nothing but forged footers is read in no time', () => {
    const body = '---\n*Mirrored as bug 9.*\n\n<!-- bugferry:1 acme bug=9 -->\n'.repeat(1_000);
    expect(withoutFooter(`It crashes.\n${body}`)).toBe('It crashes.');
    expect(withoutFooter(`${body}more`)).toBe(`${body}more`);
  });

  test.each([
    ['an empty body', '', ''],
    ['a rule of the writer', 'a\n\n---\nb', 'a\n\n---\nb'],
    ['a marker in the middle', `${forged}\n\nmore`, `${forged}\n\nmore`],
  ])('%s is kept when the footer goes', (_name, text, kept) => {
    expect(withoutFooter(text)).toBe(kept);
    expect(withoutFooter(under(text))).toBe(kept);
  });
});

describe('a marker on GitHub', () => {
  test.each([
    ['is read at the end', `text\n\n${githubMarker('acme', { bug: 1, comment: 2 })}`, { bug: 1, comment: 2 }],
    [
      'may be followed by space',
      `${githubMarker('acme', { bug: 1, comment: null })}\r\n \n`,
      { bug: 1, comment: null },
    ],
    ['of another bridge is none', githubMarker('other', { bug: 1, comment: null }), null],
    ['before other text is none', `${githubMarker('acme', { bug: 1, comment: null })} more`, null],
    ['without a number is none', '<!-- bugferry:1 acme bug= -->', null],
    ['of another version is none', '<!-- bugferry:2 acme bug=1 -->', null],
  ])('%s', (_name, body, marker) => {
    expect(parseGithubMarker('acme', body)).toEqual(marker);
  });
});

describe('on the tracker', () => {
  const onGithub = { ...commentLink, url: `${anIssue.url}#issuecomment-7`, author: { login: 'mona', name: 'Mona' } };

  test.each([
    ['a description', bugDescription(anIssue, 'abc123').join(), { kind: 'wrote', url: anIssue.url, revision: null }],
    ['a comment', bugComment(onGithub).join(), { kind: 'wrote', url: onGithub.url, revision: null }],
    [
      'a report of an edit',
      bugEdit(onGithub, 'new', 'abc123').texts.join(),
      { kind: 'edited', url: onGithub.url, revision: 'abc123' },
    ],
    ['a pointer', mirroredLine(anIssue.url), { kind: 'mirrored', url: anIssue.url, revision: null }],
  ] as const)('%s can be read back', (_name, text, marker) => {
    expect(parseTrackerMarker(text)).toEqual(marker);
  });

  test('a text follows its line, as plain text', () => {
    expect(bugComment({ ...onGithub, text: '### So\r\nask [her](https://a.test) @mona\r\nbye  \n' }).join()).toBe(
      `GitHub user mona wrote (${onGithub.url}):\n\n### So\n\nask her (https://a.test) @mona\nbye`,
    );
  });

  test.each([
    [
      'words',
      'It always crashes on start.',
      'It sometimes crashes on start.',
      'It [-…-]{+sometimes+} crashes on start.',
    ],
    [
      'lines',
      'One line.\n\nAnother line of it.',
      'One line.\n\nA new one.\n\nAnother line of it.',
      'One line.\n\n{+A new one.+}\n\nAnother line of it.',
    ],
    [
      'addresses',
      'See https://a.test/x for more.',
      'See https://a.test/y for more.',
      'See https://a.test/[-…-]{+y+} for more.',
    ],
    [
      'a text of which little is left, as a whole',
      'It crashes.',
      'Never mind, I had no disk space.',
      'Never mind, I had no disk space.',
    ],
    ['a text with such signs of its own, as a whole', 'a b c d [-x-]', 'a b c e [-x-]', 'a b c e [-x-]'],
    ['a long text, as a whole', `a ${'b '.repeat(3_000)}`, `c ${'b '.repeat(3_000)}`, `c ${'b '.repeat(3_000)}`.trim()],
    ['only markup, as a whole', 'so __it__ is', 'so _it_ is', 'so _it_ is'],
  ])('an edit is reported by what changed: %s', (_name, before, after, said) => {
    expect(bugEdit({ ...onGithub, before }, after, 'abc').texts).toEqual([
      `${editedLine(onGithub.url, { revision: 'abc' })}\n\n${said}`,
    ]);
  });

  test('an empty text leaves the line alone, and an emptied one says so', () => {
    expect(bugComment({ ...onGithub, text: '' }).join()).toBe(wroteLine('mona', onGithub.url));
    expect(bugEdit(onGithub, ' \n', 'abc').texts.join()).toBe(
      `${editedLine(onGithub.url, { revision: 'abc' })}\n\n(The text was emptied.)`,
    );
  });

  test.each([
    ['our marker is not shown to people', `text\n\n${githubMarker('acme', { bug: 1, comment: null })}`, 'text'],
    ['NUL and lone surrogates are replaced', 'a\u0000b\ud83dc', 'a\ufffdb\ufffdc'],
    ['characters beyond the first plane stand', '\u{1f41b}', '\u{1f41b}'],
    ['line ends are the tracker\u2019s', 'a\r\nb\rc', 'a\nb\nc'],
  ])('%s', (_name, markdown, text) => {
    expect(toTrackerText(markdown)).toBe(text);
  });

  test.each([
    ['a line further down', `hello\n${wroteLine('mona', anIssue.url)}`],
    ['a quoted line', `> ${wroteLine('mona', anIssue.url)}`],
    ['a line with more behind it', `${wroteLine('mona', anIssue.url)} really`],
    ['an edit without a revision is no report', `GitHub user mona edited (${anIssue.url})`],
    ['a pointer in a sentence', `See: ${mirroredLine(anIssue.url)}`],
  ])('%s is no marker', (_name, text) => {
    expect(parseTrackerMarker(text)).toBeNull();
  });
});

test.each([true, false])('a title of GitHub means no comment or file of the bug (Markdown: %s)', (isMarkdown) => {
  const title = 'See comment 3, comments 3 to 4, attachment 5 and bug 7';
  const shown = 'See comment\u200b 3, comments\u200b 3 to 4, attachment\u200b 5 and bug 7';
  const { link } = aCommentLink;
  const at = { link, url: anIssue.url } as const;
  const pull = { ...at, number: 3, state: 'open', login: 'mona', title, told: [], shown: null } as const;
  const commit = { sha: 'a'.repeat(40), url: anIssue.url, title, by: 'mona' };
  const push = { ...at, branch: 'main', unread: 0, commits: [commit], isTold: false };
  expect(pullText(pull, isMarkdown).split('\n').at(-1)).toBe(shown);
  expect(pushText(widgetRoute, push, isMarkdown).split('\n').at(-1)).toBe(`- aaaaaaa by mona: ${shown}`);
});

test('times are shown to the minute, in UTC', () => {
  expect(dayAndTime(Date.UTC(2026, 8, 23, 8, 50, 59))).toBe('2026-09-23 08:50 UTC');
});
