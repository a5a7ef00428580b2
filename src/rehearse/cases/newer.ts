import type { Case } from '../case.ts';
import { NoScratch, outcomeOf, type Scratch } from '../scratch.ts';
import { numberAt, rowsOf, textAt, valueAt } from '../value.ts';

const ofIssue = ({ owner, repo }: Scratch['home'], number: number, fields: string): string =>
  `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { i: issue(number: ${number}) { ${fields} } } }`;

/** An issue that was closed by REST as the duplicate of the subject. */
const duplicate = (scratch: Scratch) =>
  scratch.shared('duplicate', async () => {
    const original = await scratch.issue('subject');
    const made = await scratch.newIssue();
    const body = { state: 'closed', state_reason: 'duplicate', duplicate_issue_id: original.id };
    const answer = await scratch.patch(`/issues/${made.issue}`, body);
    if (answer.taken !== 'answered') throw new NoScratch(answer.why ?? 'a duplicate could not be made');
    return made;
  });

const reasons = ['SPAM', 'ABUSE', 'OFF_TOPIC', 'OUTDATED', 'DUPLICATE', 'RESOLVED'];

/** What GitHub has added since 2025, and what bugferry has another way for at older servers. */
export const newerCases: readonly Case[] = [
  {
    id: 'duplicate-original',
    assumes: 'GraphQL names the original of an issue that REST closed as a duplicate.',
    usedIn: ['github/reading/original.ts'],
    expects: 'the original, by its field or by an event',
    fits: /^the original, by /u,
    means: 'A bug is closed as not planned although its issue duplicates another.',
    async observe(scratch) {
      const { issue } = await duplicate(scratch);
      const { issue: original } = await scratch.issue('subject');
      const byField = await scratch.graphql(ofIssue(scratch.home, issue, 'duplicateOf { number }'));
      if (numberAt(byField.data, 'data.repository.i.duplicateOf.number') === original)
        return 'the original, by its field';
      const marked = '... on MarkedAsDuplicateEvent { canonical { ... on Issue { number } } }';
      const events = `timelineItems(last: 1, itemTypes: [MARKED_AS_DUPLICATE_EVENT]) { nodes { ${marked} } }`;
      const byEvent = await scratch.graphql(ofIssue(scratch.home, issue, events));
      if (byEvent.taken !== 'answered') return outcomeOf(byEvent);
      const found = numberAt(byEvent.data, 'data.repository.i.timelineItems.nodes.0.canonical.number');
      return found === original ? 'the original, by an event' : 'no original';
    },
  },
  {
    id: 'reason-without-argument',
    assumes: 'GraphQL tells the reason of a duplicate without an argument.',
    usedIn: ['github/reading/shared-look.ts'],
    expects: 'DUPLICATE',
    means: 'Each write to a duplicate costs a read that counts; nothing else changes.',
    async observe(scratch) {
      const answer = await scratch.graphql(ofIssue(scratch.home, (await duplicate(scratch)).issue, 'stateReason'));
      return answer.taken === 'answered'
        ? textAt(answer.data, 'data.repository.i.stateReason') || 'no reason'
        : outcomeOf(answer);
    },
  },
  {
    id: 'editor',
    assumes: 'GraphQL tells who edited a body, and a comment among those that were changed last.',
    usedIn: ['github/reading/editor.ts'],
    expects: 'our account',
    means: 'Reports of edits do not name who edited.',
    async observe(scratch) {
      const { home, comment, patch, graphql, fresh } = scratch;
      const { issue, id } = await comment('first');
      await patch(`/issues/${issue}`, { body: fresh('body') });
      await patch(`/issues/comments/${id}`, { body: fresh('comment') });
      const edited = 'editor { login } lastEditedAt';
      const last = 'comments(first: 100, orderBy: { field: UPDATED_AT, direction: DESC })';
      const answer = await graphql(ofIssue(home, issue, `${edited} ${last} { nodes { url ${edited} } }`));
      if (answer.taken !== 'answered') return outcomeOf(answer);
      const shown = valueAt(answer.data, 'data.repository.i');
      const row = rowsOf(valueAt(shown, 'comments.nodes')).find((each) => textAt(each, 'url').endsWith(`-${id}`));
      const [ofBody, ofComment] = [textAt(shown, 'editor.login'), textAt(row, 'editor.login')];
      if (ofBody !== ofComment) return `${ofBody || 'nobody'} of the body, ${ofComment || 'nobody'} of the comment`;
      return ofBody !== '' && (home.login === null || ofBody === home.login) ? 'our account' : ofBody || 'nobody';
    },
  },
  {
    id: 'minimize-reasons',
    assumes: 'REST shows each reason for minimizing a comment in its own spelling.',
    usedIn: ['github/map.ts', 'github/writing/comments.ts'],
    expects: 'spam, abuse, off-topic, outdated, duplicate, resolved',
    means: 'Copies are minimized for another reason than the tag on the tracker says.',
    async observe({ comment, graphql, get }) {
      const { id, node } = await comment('first');
      const shown: string[] = [];
      for (const reason of reasons) {
        const input = `subjectId: ${JSON.stringify(node)}, classifier: ${reason}`;
        await graphql(`mutation { minimizeComment(input: { ${input} }) { minimizedComment { isMinimized } } }`);
        shown.push(textAt((await get(`/issues/comments/${id}`)).data, 'minimized.reason').toLowerCase() || 'none');
      }
      return shown.join(', ');
    },
  },
];
