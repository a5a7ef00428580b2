import { type Case, type Observation, untried } from '../case.ts';
import { filesTitle } from '../home.ts';
import type { Scratch } from '../scratch.ts';
import { rowsOf, textAt } from '../value.ts';

const address = /https:\/\/github\.com\/user-attachments\/(assets|files)\/[^\s<>"')\]]+/gu;

/** The first file of a kind in the texts of this repository; null for none. */
async function fileOf({ get }: Scratch, kind: 'assets' | 'files'): Promise<string | null> {
  const lists = [
    await get('/issues?state=all&per_page=100&sort=created&direction=asc'),
    await get('/issues/comments?per_page=100'),
  ];
  const found = lists.flatMap(({ data }) =>
    rowsOf(data).flatMap((row) => [...textAt(row, 'body').matchAll(address)].filter(([, each]) => each === kind)),
  );
  return found[0]?.[0] ?? null;
}

/** GitHub documents no way to upload such a file, so a person has to. */
const readable =
  (kind: 'assets' | 'files', what: string) =>
  async (scratch: Scratch): Promise<Observation> => {
    const url = await fileOf(scratch, kind);
    return url === null
      ? untried(`no issue has ${what}: before you begin, open the issue "${filesTitle}" and drop one into it`)
      : scratch.port.linked(url);
  };

const means = 'Files from issues do not reach the tracker and stay links there: report the words.';

/** Files that people drop into texts. */
export const linkedCases: readonly Case[] = [
  {
    id: 'picture-in-text',
    assumes: 'A picture in an issue is at an address that bugferry fetches, without credentials.',
    usedIn: ['github/attachments/linked-files.ts'],
    expects: 'readable',
    means,
    observe: readable('assets', 'a picture'),
  },
  {
    id: 'file-in-text',
    assumes: 'So is any other file.',
    usedIn: ['github/attachments/linked-files.ts'],
    expects: 'readable',
    means,
    observe: readable('files', 'a file'),
  },
];
