import type { Topic } from './site.ts';

/** How texts cross, which follows from what the tracker reads. There is nothing in it that could be wrong. */
export const texts: Topic = {
  name: 'texts',
  fine: ({ vocabulary }) =>
    vocabulary.takesMarkdown ? 'the tracker reads Markdown, and so texts cross as Markdown' : 'the tracker reads plain text',
  find: () => [],
};
