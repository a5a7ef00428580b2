/** Lines as a code block, between fences that are longer than any run of their sign within; `language` may be empty. */
export function fenced(lines: readonly string[], language: string, sign: '`' | '~' = '`'): readonly string[] {
  const runs = lines.flatMap((line) => line.match(sign === '`' ? /`+/gu : /~+/gu) ?? []);
  const fence = sign.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 2) + 1);
  return [`${fence}${language}`, ...lines, fence];
}
