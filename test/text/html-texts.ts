import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../support/random.ts';
import { hostileMarkdown } from './markdown-texts.ts';

const addresses: readonly string[] = [
  ...[
    'https://github.com/o/p/issues/3',
    'http://www.github.com/o/p/pull/4#x',
    '//github.com/o/p/issues/5',
    'www.github.com/o/p/issues/6',
  ],
  ...[
    'https://github.com/o/p/commit/0a1b2c3d4e5f',
    'HTTPS://GITHUB.COM/o/p/issues/7',
    'https:/github.com/o/p/issues/8',
    'ftp://github.com/o/p',
  ],
  ...[
    'https://github.com/o/p/assets/2292782/0fbcaf7c-aaaa-bbbb-cccc-0123456789ab',
    'https://evil.test/x.png',
    '//evil.test/y.gif',
  ],
  ...[
    'javascript:alert(1)',
    'mailto:mona@host.test',
    'ftp://host.test/a',
    'xmpp:mona@host.test',
    'https://evil.test/a`b',
    'a/b',
    '#12',
    'data:x',
  ],
  ...[
    'https://gist.github.com/o/0a1b2c3d4e',
    'https://github%2ecom/o/p/issues/9',
    'https://ｇithub.com/o/p',
    'https://git\u00adhub.com/o/p',
  ],
];

/** Elements, comments and what else begins with a bracket, in forms on which parsers differ. */
const tags: readonly ((url: string) => string)[] = [
  (url) => `<img src=${url}>`,
  (url) => `<img src="${url}" alt='@mona'>`,
  (url) => `<img alt=a/b src=${url} />`,
  (url) => `<img\nsrc=${url}\n>`,
  (url) => `<a href="${url}">x</a>`,
  (url) => `<a href=${url}>#12</a>`,
  (url) => `<a href='${url}'>@mona`,
  (url) => `<img src=${url} onerror="a`,
  (url) => `<img src="${url}`,
  (url) => `<a title="\`" href="${url}">\``,
  (url) => `${url}<b>`,
  (url) => `<b>${url}</b>`,
  (url) => `${url}"><img src=x>`,
  (url) => `<${url}>`,
  (url) => `<${url} x>`,
  (url) => `&lt;img src=${url}&gt;`,
  (url) => `&#60;img src=${url}>`,
  (url) => `\\<img src=${url}>`,
  (url) => `\\\\<img src=${url}>`,
  (url) => `<!-- ${url} -->`,
  (url) => `<!--> <img src=${url}> -->`,
  (url) => `<!---> <img src=${url}> -->`,
  (url) => `<!-- ${url} --!> <b>`,
  (url) => `<![CDATA[ ${url} ]]>`,
  (url) => `<?php ${url} ?>`,
  (url) => `<!X ${url}>`,
  (url) => `<!x ${url}>`,
  (url) => `\n<div>\n${url} @mona\n\n<img src=${url}>\n`,
  (url) => `\n<pre>\n\n<img src=${url}>\n</pre>\n`,
  (url) => `\n<script>\n\n${url}\n</script>\n`,
  (url) => `\n<style\n\n><img src=${url}></style>\n`,
  (url) => `\n<textarea>\n\n<img src=${url}>\n</textarea>\n`,
  (url) => `\n<!--\n\n<img src=${url}>\n-->\n`,
  (url) => `\n<?\n\n<img src=${url}>\n?>\n`,
  (url) => `\n<![CDATA[\n\n<img src=${url}>\n]]>\n`,
  (url) => `\n<!A\n\n<img src=${url}>\n`,
  (url) => `\n<details><summary>${url}</summary>\n`,
  (url) => `\n<img src=${url}>\n`,
  (url) => `![](${url})`,
  (url) => `![@mona](<${url}> "t")`,
  (url) => `[x](${url})`,
  (url) => `[x](${url} "<img src=${url}>")`,
  (url) => `[x](<a b> '<img src=${url}>')`,
  (url) => `[<img src=${url}>](http://y.test)`,
  (url) => `[r]: ${url} "<img src=x>"\n`,
  (url) => `\n\n[<img src=${url}>]: ${url}\n\n[<img src=${url}>]\n`,
  (url) => `\n\n[r]: ${url}\n`,
  (url) => `\n\n[a\`b]: ${url} '\`'\n\n`,
  () => '[a`b]',
  () => '![r][a`b]',
  () => '[^<b>]',
  () => '\n\n[^<b>]: <img src=x>\n    <img src=y>\n',
  (url) => `@[mona](${url})`,
  (url) => `#[12](${url})`,
  (url) => `0a1b[2c3d4](${url})`,
];

/** What makes the rest code, or only looks as if it did. */
const codes: readonly ((inner: string) => string)[] = [
  (inner) => `\`${inner}\``,
  (inner) => `\`\`${inner}\`\``,
  (inner) => `\`${inner}`,
  (inner) => `\`\`${inner}\``,
  (inner) => `\\\`${inner}\``,
  (inner) => `\`${inner}\\\``,
  (inner) => `\`a\n${inner}\``,
  (inner) => `\`a\n> ${inner}\``,
  (inner) => `\`a | ${inner}\``,
  (inner) => `\n| \`a | ${inner}\` |\n|---|---|\n| \`x \\| ${inner}\` | \`y |\n`,
  (inner) => `\n| a |\n| :-: |\n| ${inner} \`|\n| \` ${inner} |\n`,
  (inner) => `\na | \`b\n--|--\n${inner}\` | c\n`,
  (inner) => `\n\`\`\`\n${inner}\n\`\`\`\n`,
  (inner) => `\n\`\`\` ${inner}\n${inner}\n\`\`\`\n`,
  (inner) => `\n~~~ \`${inner}\n${inner}\n~~~~\n`,
  (inner) => `\n~~~\n${inner}\n~~\n`,
  (inner) => `\n- \`\`\`\n  ${inner}\n ${inner}\n`,
  (inner) => `\n- a\n\n      ${inner}\n\n\t${inner}\n`,
  (inner) => `\n1. a\n\n   ~~~\n   ${inner}\n\n  ${inner}\n`,
  (inner) => `\n> \`\`\`\n> ${inner}\n${inner}\n`,
  (inner) => `\n>\t\`\`\`\n>\t${inner}\n`,
  (inner) => `\n> a\n    ${inner}\n`,
  (inner) => `\n    ${inner}\n\n\t${inner}\n`,
  (inner) => `\n>     ${inner}\n>\t ${inner}\n`,
  (inner) => `\n-\t\t${inner}\n`,
  (inner) => `\n- \t${inner}\n-     ${inner}\n`,
  (inner) => `\na\n    ${inner}\n`,
  (inner) => `\n# a\n    ${inner}\n`,
  (inner) => `\n[^1]: a\n\n        ${inner}\n\n    ${inner}\n`,
  (inner) => `\n[^1]:\n    \`\`\`\n    ${inner}\n`,
  (inner) => `\n\n[^1]: \`a\n${inner}\`\n`,
  (inner) => `http://a.test/\`${inner}\``,
  (inner) => `www.a.test/\`${inner} \``,
  (inner) => `ftp://a.test/\`${inner}\``,
  (inner) => `http://a.test\\${inner}`,
  (inner) => `ftp://a.test\\${inner}`,
  (inner) => `[a](b\`c) ${inner}\``,
  (inner) => `[a](<b\`c>) ${inner}\``,
  (inner) => `<http://a.test/\`> ${inner}\``,
  (inner) => `**\`${inner}**\``,
  (inner) => `~\`${inner}~\``,
  (inner) => `$\`${inner}\`$`,
];

/** What GitHub makes something of beyond Markdown, and words in angle brackets. */
const additions: readonly ((inner: string) => string)[] = [
  (inner) => `\n> [!NOTE]\n> ${inner}\n`,
  (inner) => `\n>[!tip] \n${inner}\n`,
  (inner) => `\n> > [!CAUTION]\n> > ${inner}\n`,
  (inner) => `\n- > [!IMPORTANT]\n  > ${inner}\n`,
  (inner) => `\n> \\[!WARNING]\n> ${inner}\n`,
  (inner) => `\n> [!WARNING][r]\n> ${inner}\n`,
  (inner) => `\n> [!NOTE](${inner})\n> x\n`,
  (inner) => `$${inner}$`,
  (inner) => `\\$x$ ${inner} $$`,
  (inner) => `\n$$\n${inner}\n$$\n`,
  (inner) => `$\`${inner}\`$`,
  (inner) => `http://a.test\\$${inner}$`,
  (inner) => `\n\`\`\`math\n${inner}\n\`\`\`\n`,
  (inner) => `\n~~~ Mermaid ${inner}\n${inner}\n~~~\n`,
  (inner) => `\n- \`\`\`mermaid\n  ${inner}\n  \`\`\`\n`,
  (inner) => `\n> \`\`\`\`geojson x\n> ${inner}\n`,
  (inner) => `\n\`\`\`me\\rmaid\n${inner}\n\`\`\`\n`,
  (inner) => `\n\`\`\`&#109;ermaid\n${inner}\n\`\`\`\n`,
  (inner) => `\`#0969DA\` ${inner}`,
  (inner) => `\`\` #0969da \`\`${inner}`,
  (inner) => `\`rgb(9, 105,\n218)\`${inner}`,
  (inner) => `\`hsl(212, 92%, 45%)\`${inner}`,
  (inner) => `List<String> ${inner} <module>`,
  (inner) => `Map<K, List<V>>${inner}`,
  (inner) => `<script>${inner}</script>`,
  (inner) => `#include <stdio.h>\n${inner}`,
  (inner) => `a<b>c</b>${inner}<T extends Foo>`,
];

const joints: readonly string[] = [
  ...[
    '',
    '',
    '',
    ' ',
    ' ',
    ' ',
    '\n',
    '\n',
    '\n\n',
    '\\',
    '\\\\',
    '`',
    '``',
    '```',
    '~',
    '~~',
    '*',
    '**',
    '_',
    '|',
    '!',
    '<',
    '</',
    '&lt;',
    '>',
    '"',
    "'",
  ],
  ...[
    '\t',
    '\u0000',
    '\u0007',
    '\u000b',
    '\u000c',
    '\u001b',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\r\n',
    '\r',
    '  \n',
    '\\\n',
    '[',
    ']',
    '(',
    ')',
    '](',
    ']: ',
    '[^1]',
    '[r]',
  ],
  ...[
    '\n> ',
    '\n>> ',
    '\n- ',
    '\n  ',
    '\n\t',
    '\n    ',
    '\n1. ',
    '\n10) ',
    '\n# ',
    '\n===\n',
    '\n---\n',
    '\n|-|\n',
    '\n| - | - |\n',
    '\n[^1]: ',
    '\n[r]: ',
    'word',
    'a',
    '1',
  ],
  ...[
    '@mona',
    '#12',
    'GH-3',
    ':smile:',
    '0a1b2c3d4e',
    '{',
    '&#64;',
    '&#x3c;',
    '&copy;',
    '@',
    '#',
    ':',
    'h',
    'http',
    '://',
    'www.',
    'é',
    '日本',
  ],
];

/** Written by hand, each to get through in its own way; a line for each, with a sign for its breaks. */
export const attacks: readonly string[] = readFileSync(join(import.meta.dirname, 'parsers/attacks.txt'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.replaceAll('↵', '\n'));

/** Markdown that parsers read differently, full of what must not live on GitHub. */
export function elementText(r: Random): string {
  const tag = (): string => r.pick(tags)(r.pick(addresses));
  const piece = (): string => {
    const choice = r.next();
    if (choice < 0.1) return r.pick(attacks);
    if (choice < 0.4) return tag();
    if (choice < 0.6) return r.pick(codes)(r.chance(0.6) ? tag() : `${r.pick(joints)}${tag()}`);
    if (choice < 0.68) return r.pick(additions)(r.chance(0.5) ? r.pick(joints) : tag());
    if (choice < 0.73) return r.pick(addresses);
    if (choice < 0.8) return hostileMarkdown(r);
    return r.pick(joints) + r.pick(joints);
  };
  const text = Array.from({ length: 1 + r.below(5) }, () => piece() + r.pick(joints)).join('');
  return r.chance(0.1) ? halved(text, r) : text;
}

/** Something is cut off, or a sign doubled. */
function halved(text: string, r: Random): string {
  const at = r.below(text.length);
  return r.chance(0.5) ? text.slice(at) : `${text.slice(0, at)}${r.pick(joints)}${text.slice(at)}`;
}
