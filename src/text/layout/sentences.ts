/** Distinguishes a person's sentence from a program's line by its words. */

import { lately } from './lately.ts';

/** Words that sentences consist of. */
const common = new Set(
  'a all also am an and any are as at be because been both but by can could did do does even every for from had has have he how i if in is it its just like many may me more most my no nobody nor not nothing of on one only or other our please same she should since so some still than thanks that the their them then there these they thing this those to too two until up us very was we well were what when where which while who why will with would yes yet you your'.split(
    ' ',
  ),
);

const condition = /^(?:for|if|while|switch) ?\((?:!?[\w.]+\)$|(?=.*\)$).*?(?:[;=<>!&|]|\w\(|\w\.\w))/u;

/** Whether a line reads like one of a sentence rather than like one of a log. */
export const isProse = lately((line: string): boolean => {
  const text = line.trim();
  const tokens = text.split(/\s+/u);
  if (condition.test(text)) return false;
  if (isQuoting(text)) return true;
  if (/^ {0,3}(?:and|or|but|to|with)$/u.test(line)) return true;
  const words = tokens.filter((token) => /^["'(*_]?\p{L}(?:[\p{L}'’-]*[\p{L}’-])?[.,;:!?)"'*_]*$/u.test(token));
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return /[。、，．！？；]/u.test(text);
  if (tokens.length <= 2 && common.has((tokens[0] ?? '').toLowerCase())) return /[.!?,:]$/u.test(text);
  if (words.length < tokens.length * (/[a-z]{3}\.$/u.test(text) ? 0.5 : 0.6)) return false;
  const count = words.filter((word) => common.has(word.toLowerCase().replace(/[^a-z]/gu, ''))).length;
  if (/ {3,}|\t/u.test(text)) return count > 5 && /^["'(]?\p{L}/u.test(text);
  const isFirst = common.has((words[0] === tokens[0] ? (tokens[0] ?? '') : '').toLowerCase().replace(/[^a-z]/gu, ''));
  if (/[{}]$/u.test(text) || /[\w)]\(|::|->|[=<>]{1,2} |;$|; (?:do|then)$/u.test(text))
    return (
      (isFirst && /[.!?]$/u.test(text)) ||
      (count >= 3 && words.length >= tokens.length * 0.75 && !/;$|; do$/u.test(text))
    );
  if (tokens.length <= 2) return isFirst && /[.!?,:]$/u.test(text);
  return (
    count >= 2 ||
    isFirst ||
    (/[.!?]$/u.test(text) && tokens.length >= 3 && /^["'(]?\p{Lu}/u.test(text)) ||
    (count >= 1 && /[.!?]$/u.test(text))
  );
});

/** Words without a sign, with one of those that sentences consist of. */
export function isWordy(line: string): boolean {
  const tokens = line.trim().split(/\s+/u);
  return (
    tokens.every((token) => /^\p{L}[\p{L}'’-]*[.,!?]?$/u.test(token)) &&
    tokens.some((token) => common.has(token.toLowerCase()))
  );
}

/** A sentence that ends with a statement, as in: then I set x = 1; */
function isQuoting(line: string): boolean {
  if (!line.endsWith(';')) return false;
  const words = /^((?:\p{L}[\p{L}'’]*,? )+)\S+(?: ?[=(].*);\s*$/u.exec(line)?.[1]?.trim().split(/,? /u) ?? [];
  return words.length > 1 && words.filter((word) => common.has(word.toLowerCase())).length > 1;
}

export const readsLikeSentence = (line: string): boolean => isProse(line) && /[.!?:;]$|^[A-Z]/u.test(line.trim());

/** Words with which people continue between two pasted parts. */
export const startsSentence =
  /^(?:and|but|so|then|when|which|while|after|before|I|we|it|this|that|there|here|my|no|nothing|later|now|with|without|since|only|if)\b/iu;
