import type { Family } from '../case.ts';
import type { Answer } from '../port.ts';
import { NoScratch, outcomeOf, type Scratch } from '../scratch.ts';
import { numberAt, rowsOf, textAt, valueAt } from '../value.ts';
import { linkedCases } from './linked.ts';

const content = 'bugferry\n';
const bytes = new TextEncoder().encode(content);
/** The digests of this content, as git and as SHA-256. */
const gitSha = '0b87744fd4b1ae45cf89df0cfe8c30b8586d80ef';
const sha256 = '8d9bbec75de4577e04125d821aaffb6114c021523345828c042e23fa72e9b1bd';
const author = { name: 'bugferry', email: 'bugferry@bugferry.invalid' };

const branchMeans = 'Files cannot be kept on a branch: set store: release in the attachments of the route.';
const releaseMeans = 'Files cannot be kept in releases: set store: branch in the attachments of the route.';

const shaIn = (answer: Answer, path = 'sha'): string => {
  const sha = textAt(answer.data, path);
  if (answer.taken !== 'answered' || sha === '') throw new NoScratch(answer.why ?? 'git data could not be made');
  return sha;
};

/** A commit without parents that contains one file. */
async function madeCommit({ post, fresh }: Scratch, parents: readonly string[] = []): Promise<string> {
  const blob = shaIn(await post('/git/blobs', { content: btoa(content), encoding: 'base64' }));
  const path = `attachments/${fresh('file').replaceAll(' ', '-')}.txt`;
  const tree = shaIn(await post('/git/trees', { tree: [{ path, mode: '100644', type: 'blob', sha: blob }] }));
  return shaIn(await post('/git/commits', { message: 'Rehearsal', tree, parents, author, committer: author }));
}

async function madeBranch(scratch: Scratch): Promise<{ readonly name: string; readonly commit: string }> {
  const commit = await madeCommit(scratch);
  const name = scratch.freshBranch();
  shaIn(await scratch.post('/git/refs', { ref: `refs/heads/${name}`, sha: commit }), 'object.sha');
  return { name, commit };
}

const branchPath = (name: string): string => `/git/refs/heads/${name}`;

async function madeRelease({ post, fresh }: Scratch): Promise<Answer> {
  const tag = fresh('files').replaceAll(' ', '-');
  return post('/releases', { tag_name: tag, name: tag, body: 'Rehearsal', prerelease: true, make_latest: 'false' });
}

interface Uploaded {
  readonly name: string;
  readonly upload: () => Promise<Answer>;
  readonly first: Answer;
}

/** Uploads the content to a release that several cases share, under a new name with this end. */
async function uploaded(scratch: Scratch, end: string): Promise<Uploaded> {
  const { node: address } = await scratch.shared('release', async () => {
    const { taken, data, why } = await madeRelease(scratch);
    const node = textAt(data, 'upload_url').replace(/\{.*/u, '');
    if (taken !== 'answered' || node === '') throw new NoScratch(why ?? 'a release could not be made');
    return { issue: 0, id: numberAt(data, 'id'), node };
  });
  const name = `${scratch.fresh('file').replaceAll(' ', '-')}${end}`;
  const path = `${address}?${new URLSearchParams({ name })}`;
  const upload = () => scratch.send({ method: 'POST', path, content: { type: 'text/plain', bytes } });
  return { name, upload, first: await upload() };
}

/** Where copies of files are kept: git data, releases, and the store for files in texts. */
export const files: Family = {
  name: 'files',
  cases: [
    {
      id: 'blob-digest',
      assumes: 'GitHub names a file by the digest that git gives it.',
      usedIn: ['github/attachments/branch-store.ts', 'github/attachments/git-data.ts'],
      needs: ['commits'],
      expects: gitSha,
      means: branchMeans,
      async observe({ post }) {
        const answer = await post('/git/blobs', { content: btoa(content), encoding: 'base64' });
        return answer.taken === 'answered' ? textAt(answer.data, 'sha') : outcomeOf(answer);
      },
    },
    {
      id: 'blob-content',
      assumes: 'A file comes back byte for byte, in Base64.',
      usedIn: ['github/attachments/git-data.ts'],
      needs: ['commits'],
      expects: 'byte for byte',
      means: 'bugferry verify reports files as different that are not.',
      async observe({ post, get }) {
        const sha = shaIn(await post('/git/blobs', { content: btoa(content), encoding: 'base64' }));
        const { data } = await get(`/git/blobs/${sha}`);
        if (textAt(data, 'encoding') !== 'base64') return `encoded as ${textAt(data, 'encoding') || 'nothing'}`;
        return textAt(data, 'content').replaceAll('\n', '') === btoa(content) ? 'byte for byte' : 'changed';
      },
    },
    {
      id: 'missing-branch',
      assumes: 'A branch that does not exist answers 404.',
      usedIn: ['github/attachments/git-data.ts'],
      needs: ['commits'],
      expects: 'missing',
      means: branchMeans,
      observe: async ({ get, fresh }) => (await get(`/git/ref/heads/${fresh('none').replaceAll(' ', '-')}`)).taken,
    },
    {
      id: 'orphan-branch',
      assumes: 'A branch may begin with a commit without parents.',
      usedIn: ['github/attachments/git-data.ts', 'github/attachments/branch-store.ts'],
      needs: ['commits'],
      expects: 'accepted',
      means: branchMeans,
      async observe(scratch) {
        const sha = await madeCommit(scratch);
        return outcomeOf(await scratch.post('/git/refs', { ref: `refs/heads/${scratch.freshBranch()}`, sha }));
      },
    },
    {
      id: 'tree-listing',
      assumes: 'A tree lists its files with type and digest, and says whether it is cut.',
      usedIn: ['github/attachments/git-data.ts'],
      needs: ['commits'],
      expects: 'whole, with the file',
      means: branchMeans,
      async observe(scratch) {
        const { commit } = await madeBranch(scratch);
        const tree = shaIn(await scratch.get(`/git/commits/${commit}`), 'tree.sha');
        const { data } = await scratch.get(`/git/trees/${tree}?recursive=1`);
        const file = rowsOf(valueAt(data, 'tree')).find((each) => textAt(each, 'type') === 'blob');
        if (valueAt(data, 'truncated') !== false) return 'cut';
        return textAt(file, 'sha') === gitSha ? 'whole, with the file' : 'without the file';
      },
    },
    {
      id: 'commit-author',
      assumes: 'A commit keeps the author that it is given.',
      usedIn: ['github/attachments/git-data.ts'],
      needs: ['commits'],
      expects: author.email,
      means:
        'Commits of files show the account and its address, and withdrawn files stay in the history: use store: release.',
      async observe(scratch) {
        const { commit } = await madeBranch(scratch);
        const { data } = await scratch.get(`/commits?sha=${commit}&per_page=100`);
        return textAt(data, '0.commit.author.email') || 'no author';
      },
    },
    {
      id: 'fast-forward-only',
      assumes: 'A branch is not moved to an unrelated commit unless forced.',
      usedIn: ['github/attachments/git-data.ts', 'github/attachments/branch-store.ts'],
      needs: ['commits'],
      expects: 'refused',
      means:
        'If others commit to the branch with files at the same time, their commits may be lost: use a branch of its own.',
      async observe(scratch) {
        const { name } = await madeBranch(scratch);
        return (await scratch.patch(branchPath(name), { sha: await madeCommit(scratch), force: false })).taken;
      },
    },
    {
      id: 'forced-move',
      assumes: 'It is moved if forced, which drops the history.',
      usedIn: ['github/attachments/git-data.ts'],
      needs: ['commits'],
      expects: 'moved',
      means: 'Withdrawn files stay in the history of the branch: use store: release.',
      async observe(scratch) {
        const { name } = await madeBranch(scratch);
        const commit = await madeCommit(scratch);
        const answer = await scratch.patch(branchPath(name), { sha: commit, force: true });
        if (answer.taken !== 'answered') return outcomeOf(answer);
        return textAt((await scratch.get(`/git/ref/heads/${name}`)).data, 'object.sha') === commit
          ? 'moved'
          : 'not moved';
      },
    },
    {
      id: 'branch-deleted',
      assumes: 'A branch can be deleted.',
      usedIn: ['github/attachments/git-data.ts'],
      needs: ['commits'],
      expects: 'missing afterwards',
      means: 'The last withdrawn file stays on the branch: delete the branch by hand.',
      async observe(scratch) {
        const { name } = await madeBranch(scratch);
        const answer = await scratch.del(branchPath(name));
        if (answer.taken !== 'answered') return outcomeOf(answer);
        await scratch.settle();
        return `${(await scratch.get(`/git/ref/heads/${name}`)).taken} afterwards`;
      },
    },
    {
      id: 'release',
      assumes: 'A release can be made, and has an address for uploads.',
      usedIn: ['github/attachments/release-data.ts', 'github/connection/upload-host.ts'],
      needs: ['commits'],
      expects: 'with an address on the host for uploads',
      means: releaseMeans,
      async observe(scratch) {
        const answer = await madeRelease(scratch);
        if (answer.taken !== 'answered') return outcomeOf(answer);
        const address = textAt(answer.data, 'upload_url').replace(/\{.*/u, '');
        if (!URL.canParse(address)) return 'without an address';
        const { host } = new URL(address);
        return host === new URL(scratch.port.uploads).host
          ? 'with an address on the host for uploads'
          : `with an address on ${host}`;
      },
    },
    {
      id: 'asset',
      assumes: 'A file can be uploaded to a release, whole, under its name.',
      usedIn: ['github/attachments/release-data.ts', 'github/attachments/release-store.ts'],
      needs: ['commits'],
      expects: 'uploaded, 9 bytes, under its name',
      means: releaseMeans,
      async observe(scratch) {
        const { name, first } = await uploaded(scratch, '-crash_log.1.txt');
        if (first.taken !== 'answered') return outcomeOf(first);
        const shown = textAt(first.data, 'name') === name ? 'under its name' : `as ${textAt(first.data, 'name')}`;
        return `${textAt(first.data, 'state')}, ${numberAt(first.data, 'size')} bytes, ${shown}`;
      },
    },
    {
      id: 'asset-digest',
      assumes: 'GitHub tells the SHA-256 of an uploaded file, or nothing.',
      usedIn: ['github/attachments/release-data.ts'],
      needs: ['commits'],
      expects: `sha256:${sha256}`,
      fits: new RegExp(`^(?:sha256:${sha256}|no digest)$`, 'u'),
      means: releaseMeans,
      async observe(scratch) {
        const { first } = await uploaded(scratch, '.txt');
        return first.taken === 'answered' ? textAt(first.data, 'digest') || 'no digest' : outcomeOf(first);
      },
    },
    {
      id: 'asset-taken',
      assumes: 'A second file of one name is refused with already_exists.',
      usedIn: ['github/attachments/release-store.ts'],
      needs: ['commits'],
      expects: 'already_exists',
      means: 'After a lost answer, a file may be stored twice or parked.',
      async observe(scratch) {
        const { upload } = await uploaded(scratch, '.txt');
        const answer = await upload();
        return answer.faults.includes('already_exists') ? 'already_exists' : outcomeOf(answer);
      },
    },
    {
      id: 'asset-content',
      assumes: 'An uploaded file can be read through the API, byte for byte.',
      usedIn: ['github/attachments/release-data.ts', 'github/connection/download.ts'],
      needs: ['commits'],
      expects: 'byte for byte',
      means: 'bugferry verify cannot compare files.',
      async observe(scratch) {
        const { first } = await uploaded(scratch, '.txt');
        const found = await scratch.port.content(
          `${scratch.home.path}/releases/assets/${numberAt(first.data, 'id')}`,
          'read a file',
        );
        if (found === null) return 'it cannot be read';
        return new TextDecoder().decode(found) === content ? 'byte for byte' : `${found.length} other bytes`;
      },
    },
    {
      id: 'asset-deleted',
      assumes: 'An uploaded file can be deleted.',
      usedIn: ['github/attachments/release-data.ts'],
      needs: ['commits'],
      expects: 'missing afterwards',
      means: 'Withdrawn files stay public: set store: branch.',
      async observe(scratch) {
        const { first } = await uploaded(scratch, '.txt');
        const path = `/releases/assets/${numberAt(first.data, 'id')}`;
        const answer = await scratch.del(path);
        if (answer.taken !== 'answered') return outcomeOf(answer);
        await scratch.settle();
        return `${(await scratch.get(path)).taken} afterwards`;
      },
    },
    {
      id: 'not-the-latest',
      assumes: 'Such a release never becomes the latest one, which projects show to their users.',
      usedIn: ['github/attachments/release-data.ts'],
      needs: ['commits'],
      expects: 'no latest release',
      means: 'Users see the release with files as the newest version of the project: use store: branch.',
      async observe(scratch) {
        await madeRelease(scratch);
        const answer = await scratch.get('/releases/latest');
        return answer.taken === 'missing' ? 'no latest release' : textAt(answer.data, 'tag_name') || outcomeOf(answer);
      },
    },
    ...linkedCases,
  ],
};
