export const offWords = /issues (?:has been|have been|are|is) disabled/iu;

/**
 * Why GitHub declined a request, and what to do about it. GitHub has no codes for these, so its words decide; they are
 * those of public reports. The first row that matches counts; a 403 in other words is about rights.
 */
const table: readonly (readonly [words: RegExp, advice: string, reach?: 'everything'])[] = [
  [/SAML/u, 'Authorize the token for single sign-on to the organization', 'everything'],
  [
    /IP allow list/iu,
    'Ask an owner of the organization to add the address of this machine to its list of allowed addresses',
    'everything',
  ],
  [/\barchived\b/iu, 'Unarchive the repository, or remove it from the routes', 'everything'],
  [/\blocked\b/iu, 'Unlock the issue, or give the account the right to write to the repository'],
  [
    /commenting is disabled on issues with more than/iu,
    'GitHub accepts no further comment on this issue, and nobody can lift that limit',
  ],
  [offWords, 'Enable issues in the settings of the repository, or change the route'],
  [/suspended/iu, 'Ask GitHub Support about the account', 'everything'],
  [/terms of service|access blocked|DMCA/iu, 'Ask GitHub Support about the repository', 'everything'],
  [
    /interactions on this repository/iu,
    'Lift the interaction limits of the repository, or make the account a collaborator',
  ],
  [
    /issue creation (?:is|has been) (?:restricted|limited)|(?:restricted|limited) (?:issue creation )?to collaborators/iu,
    'Give the account the write role, or lift "Restrict issue creation" in the settings of the repository',
  ],
  [/user is blocked/iu, 'Ask the owner of the repository to unblock the account'],
  [/forbids access via/iu, 'Use a token of a kind that the organization allows', 'everything'],
  [
    /not accessible by (?:integration|personal access token)/iu,
    'Grant the token or the App the permission to write issues there',
  ],
  [/verified email|verify your email/iu, "Verify the account's e-mail address on GitHub"],
];

const rightsAdvice = 'Check that the account may write issues there';

interface Declined {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  /** GitHub's own words, without values that users wrote. */
  readonly messages: string;
}

/** Whether every other write to the repository will be refused as well, until a person does something about it. */
export const isOfEverything = (messages: string): boolean =>
  table.find(([words]) => words.test(messages))?.[2] === 'everything';

/** A sentence without its full stop; null if there is nothing to advise. */
export function adviceOn({ status, headers, messages }: Declined): string | null {
  const signOn = signOnAt(headers);
  if (signOn !== null) return `Authorize the token for single sign-on at ${signOn}`;
  const advice = table.find(([words]) => words.test(messages))?.[1];
  if (advice !== undefined) return advice;
  if (status === 413) return 'It is too large for one request';
  return status === 403 ? rightsAdvice : null;
}

/** The page where an organization's single sign-on accepts the token: `required; url=https://...`. */
function signOnAt(headers: Declined['headers']): string | null {
  const url = /(?:^|;)\s*url=(https:\/\/[^\s;]+)/u.exec(String(headers['x-github-sso'] ?? ''))?.[1];
  return url ?? null;
}
