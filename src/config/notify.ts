import type { output } from 'zod/mini';
import type { NotifyAccess } from './config.ts';
import { keyComplaint, secretOf, type Written } from './credentials.ts';
import type { Complaint } from './problem.ts';
import type { notifySchema } from './schema/notify.ts';
import type { Environment } from './source.ts';

export type WrittenNotify = output<typeof notifySchema>;
type Webhook = NonNullable<WrittenNotify['webhook']>;

/** The receivers with their secrets. */
export function notifyAccess(written: WrittenNotify, env: Environment): Written<NotifyAccess> {
  const { command, webhook, mail, pauseMinutes } = written;
  const hook: Written<NotifyAccess['webhook']> = webhook === undefined ? { value: null } : webhookAccess(webhook);
  const complaints = [...notifyComplaints(written), ...(hook.complaints ?? [])];
  if (hook.value === undefined || complaints.length > 0) return { complaints };
  const mailed = mail === undefined ? null : { ...mail, to: [mail.to].flat(), from: mail.from ?? null };
  const given = { command: command ?? null, webhook: hook.value, mail: mailed };
  return { value: { ...given, pauseMs: pauseMinutes * 60_000, env: envOfPrograms(env) } };
}

function webhookAccess(webhook: Webhook): Written<NotifyAccess['webhook']> {
  const path = ['notify', 'webhook'];
  if (webhook.address === undefined && webhook.addressFile === undefined)
    return {
      complaints: [{ path, message: 'notify.webhook needs address or addressFile: what takes the notice' }],
    };
  const address = secretOf(path, 'address', webhook.address, webhook.addressFile, addressComplaint);
  const token: Written<string | null> =
    webhook.token === undefined && webhook.tokenFile === undefined
      ? { value: null }
      : secretOf(path, 'token', webhook.token, webhook.tokenFile, keyComplaint);
  if (address.value === undefined || token.value === undefined)
    return { complaints: [...(address.complaints ?? []), ...(token.complaints ?? [])] };
  return { value: { address: address.value, token: token.value, body: webhook.body } };
}

const namesForPrograms = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TZ', 'TMPDIR', 'SYSTEMROOT'];

const envOfPrograms = (env: Environment): Readonly<Record<string, string>> =>
  Object.fromEntries(namesForPrograms.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

/** The address may be a secret, so the message does not repeat it. */
function addressComplaint(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && parsed.username === ''
    ? null
    : 'must be an address that begins with https:// (or http://), without a user name';
}

/** What sendmail would take for an option, or a header for two lines, is no address. */
const mailAddress = /^[^\s<>,;@-][^\s<>,;@]*@[^\s<>,;@]+$/u;

function notifyComplaints({ command, webhook, mail }: WrittenNotify): readonly Complaint[] {
  const path = ['notify'];
  if (command === undefined && webhook === undefined && mail === undefined)
    return [{ path, message: 'notify needs command, webhook or mail: how to tell somebody' }];
  const addresses = mail === undefined ? [] : [...[mail.to].flat(), ...(mail.from === undefined ? [] : [mail.from])];
  return addresses
    .filter((each) => !mailAddress.test(each))
    .map((each) => ({
      path: [...path, 'mail'],
      message: `notify.mail: "${each}" is not an address such as ada@example.org`,
    }));
}
