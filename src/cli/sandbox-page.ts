import type { Sandbox } from '../wire-sandbox.ts';
import type { Terminal } from './terminal.ts';

/** What the sandbox says about itself to people. */
export function printSandbox({ out, paint }: Terminal, { url, file, isResumed, bugCount, users }: Sandbox): void {
  out(paint('bold', 'bugferry sandbox: a tracker to develop against'));
  out('');
  out(`  pages     ${paint('cyan', `${url}/`)}`);
  out(`  REST      ${paint('cyan', `${url}/rest`)}`);
  out(`  bugs      ${bugCount}${isResumed ? ', as they were left' : ''}`);
  out(`  data      ${file ?? 'in memory only: gone when this ends (--data FOLDER keeps it)'}`);
  out('');
  out(paint('bold', 'People, their API keys and their groups'));
  for (const user of users) out(`  ${user.login.padEnd(28)} ${user.apiKey}   ${rightsOf(user)}`);
  const [key = ''] = users.filter(({ login }) => login.startsWith('bridge@')).map(({ apiKey }) => apiKey);
  const send = `-H 'content-type: application/json' -d`;
  out('');
  out(paint('bold', 'Try'));
  out(`  curl '${url}/rest/bug?product=Widget&limit=3&api_key=${key}'`);
  out(
    `  curl -X POST '${url}/rest/bug?api_key=${key}' ${send} '{"product": "Widget", "component": "Core", "version": "1.0", "summary": "Hello"}'`,
  );
  out(`  curl -X PUT '${url}/rest/bug/1?api_key=${key}' ${send} '{"comment": {"body": "Hello"}, "priority": "High"}'`);
  out('');
  out(paint('dim', 'Ctrl-C ends it.'));
}

/** And to programs. */
export function inJson({ url, file, isResumed, bugCount, users }: Sandbox): unknown {
  const people = users.map(({ id, login, realName, password, apiKey, groups, disabledText }) => {
    return { id, login, realName, password, apiKey, groups, isDisabled: disabledText !== null };
  });
  return { url, file, isResumed, bugs: bugCount, users: people };
}

const rightsOf = ({ groups, disabledText }: Sandbox['users'][number]): string =>
  disabledText === null ? groups.join(' ') || '(none: may report and comment)' : '(account disabled)';
