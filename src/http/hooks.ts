import { verify } from '@octokit/webhooks-methods';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Hint } from '../model/control.ts';
import type { Side } from '../model/ids.ts';
import type { AdminPort } from './admin-port.ts';
import { isSameSecret } from './guard-token.ts';

/**
 * Webhooks are hints: they name a bug or issue to read now, and bugferry trusts nothing else in them. Every webhook is
 * answered before any request to a side. A null secret turns off the webhooks of its side.
 */
export interface HookSecrets {
  readonly githubSecret: string | null;
  readonly trackerSecret: string | null;
}

/** Far larger than an issue with the longest body and all its labels. */
const bodyBytesMax = 1_000_000;
/** GitHub repeats a delivery within hours; a busy repository gets a few thousand in that time. */
const deliveriesMax = 10_000;

export type Received =
  | { readonly kind: 'hint'; readonly hint: Hint }
  | { readonly kind: 'repeated' | 'ignored' }
  | { readonly kind: 'refused'; readonly status: 400 | 401; readonly why: string };

export function hookRoutes(
  adminPort: Pick<AdminPort, 'hint' | 'hinted'>,
  { githubSecret, trackerSecret }: HookSecrets,
): Hono {
  const app = new Hono();
  const limit = bodyLimit({
    maxSize: bodyBytesMax,
    onError: (context) => context.text('The webhook is too large.\n', 413),
  });
  if (githubSecret !== null) {
    const deliveries = new Set<string>();
    app.post('/github', limit, async (context) =>
      answer(context, adminPort, 'github', await fromGithub(context, githubSecret, deliveries)),
    );
  }
  if (trackerSecret !== null) {
    app.post('/tracker', limit, async (context) =>
      answer(context, adminPort, 'tracker', await fromTracker(context, trackerSecret)),
    );
  }
  return app;
}

function answer(
  context: Context,
  adminPort: Pick<AdminPort, 'hint' | 'hinted'>,
  side: Side,
  received: Received,
): Response {
  adminPort.hinted(side, received.kind);
  if (received.kind === 'refused') return context.text(`${received.why}\n`, received.status);
  if (received.kind === 'hint') adminPort.hint(received.hint);
  return context.text(`${received.kind === 'hint' ? 'accepted' : received.kind}\n`, 202);
}

/** Source: docs.github.com, "Validating webhook deliveries", "Webhook events and payloads". */
async function fromGithub(context: Context, secret: string, deliveries: Set<string>): Promise<Received> {
  const text = await context.req.text();
  const signature = context.req.header('x-hub-signature-256') ?? '';
  const isSigned = text !== '' && signature !== '' && (await verify(secret, text, signature));
  if (!isSigned) return refused(401, 'The signature does not match http.githubSecret.');
  const delivery = context.req.header('x-github-delivery') ?? '';
  if (delivery === '') return refused(400, 'The header X-GitHub-Delivery is missing.');
  if (deliveries.has(delivery)) return { kind: 'repeated' };
  deliveries.add(delivery);
  if (deliveries.size > deliveriesMax) for (const oldest of [...deliveries].slice(0, 1)) deliveries.delete(oldest);
  const body = parsed(text);
  if (body === null)
    return refused(400, 'The body is not JSON; choose the content type application/json for the webhook.');
  return githubHint(context.req.header('x-github-event') ?? '', body);
}

/** What a webhook of GitHub says, by its event. */
export function githubHint(event: string, body: unknown): Received {
  const repo = part(part(body, 'repository'), 'full_name');
  // Its issues do not say that they changed.
  const isRename = (event === 'label' || event === 'milestone') && part(body, 'action') === 'edited';
  if (isRename && typeof repo === 'string') return { kind: 'hint', hint: { side: 'github', ref: null, repo } };
  // GitHub does not document whether a dependency changes the time of the blocked issue. It sends a webhook for either
  // end; the blocker's adds nothing.
  const isBlocked = event === 'issue_dependencies' && /^blocked_by_/u.test(String(part(body, 'action')));
  if (event !== 'issues' && event !== 'issue_comment' && !isBlocked) return { kind: 'ignored' };
  const issue = part(body, isBlocked ? 'blocked_issue' : 'issue');
  const ref = part(issue, 'number');
  if (!isNumber(ref) || typeof repo !== 'string') return refused(400, 'The body names no issue.');
  // Comments on pull requests arrive as comments on issues.
  if (part(issue, 'pull_request') !== undefined) return { kind: 'ignored' };
  return { kind: 'hint', hint: { side: 'github', ref, repo, isThread: event === 'issue_comment' } };
}

/** Source: the Webhooks extension of BMO and harmony; its "API key" header and value are ours to choose. */
async function fromTracker(context: Context, secret: string): Promise<Received> {
  const shown = context.req.header('x-bugferry-secret') ?? '';
  if (!isSameSecret(shown, secret))
    return refused(401, 'The header X-Bugferry-Secret does not match http.trackerSecret.');
  const body = parsed(await context.req.text());
  const ref = part(part(body, 'bug'), 'id');
  if (part(part(body, 'event'), 'action') === 'test') return { kind: 'ignored' };
  if (!isNumber(ref)) return refused(400, 'The body names no bug.');
  return { kind: 'hint', hint: { side: 'tracker', ref, repo: null, isThread: true } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const refused = (status: 400 | 401, why: string): Received => ({ kind: 'refused', status, why });
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
const part = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
