import type { Family, Observation } from '../case.ts';
import { outcomeOf, type Scratch } from '../scratch.ts';
import { textAt } from '../value.ts';

const titleMax = 256;
const bodyMax = 65_536;

const splitMeans = 'Texts of this size are parked, and need you: report the size that the server accepts.';

/** A refusal that names a field, as the bridge reads it. */
const naming = (field: RegExp, faults: readonly string[]): boolean => faults.some((fault) => field.test(fault));

/** Sends a text, and says whether it is stored whole. */
async function storedBody({ patch, issue }: Scratch, body: string): Promise<Observation> {
  const { issue: number } = await issue('texts');
  const answer = await patch(`/issues/${number}`, { body });
  if (answer.taken !== 'answered') return outcomeOf(answer);
  const stored = textAt(answer.data, 'body');
  return stored === body ? 'stored whole' : `${[...stored].length} characters of ${[...body].length}`;
}

async function storedComment({ post, issue }: Scratch, body: string): Promise<Observation> {
  const { issue: number } = await issue('texts');
  const answer = await post(`/issues/${number}/comments`, { body });
  if (answer.taken !== 'answered') return outcomeOf(answer);
  const stored = textAt(answer.data, 'body');
  return stored === body ? 'stored whole' : `${[...stored].length} characters of ${[...body].length}`;
}

/** How long texts may be, and what becomes of them. */
export const sizes: Family = {
  name: 'sizes',
  cases: [
    {
      id: 'title-of-256',
      assumes: 'A title may have 256 characters.',
      usedIn: ['text/canonical.ts'],
      expects: 'stored whole',
      means: 'Bugs with long summaries cannot be mirrored; report the length that the server accepts.',
      async observe({ patch, issue, title }) {
        const { issue: number } = await issue('texts');
        const wanted = title('').padEnd(titleMax, 'ä');
        const answer = await patch(`/issues/${number}`, { title: wanted });
        if (answer.taken !== 'answered') return outcomeOf(answer);
        return textAt(answer.data, 'title') === wanted ? 'stored whole' : 'changed';
      },
    },
    {
      id: 'title-of-257',
      assumes: 'A longer title is refused in words that name the title.',
      usedIn: ['github/writing/write.ts'],
      expects: 'refused, naming title',
      means: 'A refusal for its title costs one request more, as the rest is tried again without labels and the like.',
      async observe({ patch, issue, title }) {
        const { issue: number } = await issue('texts');
        const answer = await patch(`/issues/${number}`, { title: title('').padEnd(titleMax + 1, 'a') });
        return answer.taken === 'refused' && naming(/^title$/iu, answer.faults)
          ? 'refused, naming title'
          : outcomeOf(answer);
      },
    },
    {
      id: 'body-of-65536',
      assumes: 'A body may have 65,536 characters.',
      usedIn: ['text/parts/cut.ts'],
      expects: 'stored whole',
      means: splitMeans,
      observe: (scratch) => storedBody(scratch, 'a'.repeat(bodyMax)),
    },
    {
      id: 'body-in-characters',
      assumes: 'Its length is counted in characters, not in bytes.',
      usedIn: ['text/parts/cut.ts'],
      expects: 'stored whole',
      means: splitMeans,
      observe: (scratch) => storedBody(scratch, 'ä'.repeat(60_000)),
    },
    {
      id: 'body-of-emoji',
      assumes: 'A character beyond the first plane counts as one.',
      usedIn: ['text/parts/cut.ts'],
      expects: 'stored whole',
      means: splitMeans,
      observe: (scratch) => storedBody(scratch, '🦋'.repeat(60_000)),
    },
    {
      id: 'body-of-65537',
      assumes: 'A longer body is refused in words that name the body.',
      usedIn: ['github/writing/write.ts'],
      expects: 'refused, naming body',
      means: 'A refusal for its body costs one request more, as the rest is tried again without labels and the like.',
      async observe({ patch, issue }) {
        const answer = await patch(`/issues/${(await issue('texts')).issue}`, { body: 'a'.repeat(bodyMax + 1) });
        return answer.taken === 'refused' && naming(/^body$/iu, answer.faults)
          ? 'refused, naming body'
          : outcomeOf(answer);
      },
    },
    {
      id: 'comment-of-65536',
      assumes: 'A comment may have 65,536 characters.',
      usedIn: ['text/parts/cut.ts'],
      expects: 'stored whole',
      means: splitMeans,
      observe: (scratch) => storedComment(scratch, 'a'.repeat(bodyMax)),
    },
    {
      id: 'comment-of-65537',
      assumes: 'A longer comment is refused.',
      usedIn: ['github/connection/classify-answer.ts'],
      expects: 'refused',
      means: 'Nothing for you, unless the comment was cut: then report it.',
      async observe(scratch) {
        const answer = await scratch.post(`/issues/${(await scratch.issue('texts')).issue}/comments`, {
          body: 'a'.repeat(bodyMax + 1),
        });
        return answer.taken === 'answered' ? `${textAt(answer.data, 'body').length} characters stored` : answer.taken;
      },
    },
    {
      id: 'blank-comment',
      assumes: 'A comment of white space alone is refused.',
      usedIn: ['github/connection/classify-answer.ts'],
      expects: 'refused',
      means: 'Nothing for you: bugferry does not send such comments.',
      observe: async ({ post, issue }) =>
        (await post(`/issues/${(await issue('texts')).issue}/comments`, { body: ' \n ' })).taken,
    },
    {
      id: 'text-kept',
      assumes: 'A text comes back as it was sent, with its marker, line ends and invisible characters.',
      usedIn: ['text/marker.ts', 'text/canonical.ts'],
      expects: 'stored whole',
      means: 'Copies look edited to bugferry, or lose their markers: report this before you use the server.',
      observe: (scratch) =>
        storedBody(
          scratch,
          'Tabs\tand  spaces\n\n@\u200bno-one, `code`, <b>html</b> & ü 🦋 e\u0301\n\n<!-- bugferry:1 rehearsal bug=1 -->',
        ),
    },
    {
      id: 'title-trimmed',
      assumes: 'Space around a title is removed, and nothing else.',
      usedIn: ['text/canonical.ts'],
      expects: 'only space around it is removed',
      means: 'Titles may look edited to bugferry, which then asks you about a conflict.',
      async observe({ patch, issue, title }) {
        const wanted = title('two  spaces & <b> "quotes" ü 🦋');
        const answer = await patch(`/issues/${(await issue('texts')).issue}`, { title: `${wanted}  ` });
        if (answer.taken !== 'answered') return outcomeOf(answer);
        const stored = textAt(answer.data, 'title');
        return stored === wanted ? 'only space around it is removed' : `it became "${stored}"`;
      },
    },
  ],
};
