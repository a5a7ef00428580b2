import { describe, expect, test } from 'vitest';
import { markdownHtml } from '../../../src/sandbox/github/server/markdown.ts';

describe('Markdown on the pages of the sandbox GitHub', () => {
  test.each([
    [
      'emphasis and links',
      '**Alice** opened [bug 1](http://x/?id=1&n=2)',
      '<p><strong>Alice</strong> opened <a href="http://x/?id=1&amp;n=2">bug 1</a></p>',
    ],
    [
      'a collapsed part',
      '<details><summary>More</summary>\n\nHere.\n\n</details>',
      '<details><summary>More</summary>\n<p>Here.</p>\n</details>',
    ],
    [
      'a table',
      '| a |\n|---|\n| b |',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'code as it is',
      '`<details>` and\n\n    <b>&amp;',
      '<p><code>&lt;details&gt;</code> and</p>\n<pre><code>&lt;b&gt;&amp;amp;\n</code></pre>',
    ],
    ['no comments', 'one <!-- two --> three\n\n<!--\nfour\n-->', '<p>one  three</p>'],
  ])('shows %s', (_name, text, html) => {
    expect(markdownHtml(text)).toBe(html);
  });

  test.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<b onclick="alert(1)">x</b>',
    '<details open ontoggle=alert(1)>',
    '[a](javascript:alert(1))',
    '![a](javascript:alert(1))',
    '<a href="javascript:alert(1)">x</a>',
    '<!-- --><script>alert(1)</script>',
    '<!-- > --!><script>alert(1)</script>',
    '<b\n<script>alert(1)</script>',
    '<div\nonclick=alert(1)\n>',
    '<<script>script>alert(1)</script>',
    '`a`<style>*{}</style>',
  ])('keeps nothing alive in %s', (text) => {
    expect(markdownHtml(text)).not.toMatch(/<(?!\/?(?:p|a|b|code|details|img)\b)|<\w+[^>]*(?:\son\w+|javascript:)/iu);
  });
});
