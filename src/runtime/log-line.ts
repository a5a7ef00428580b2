/** Keys of a log record that have their own place in the line. */
const placed = ['level', 'time', 'msg', 'err'];

/** One line for people from one line of JSON: `12:03:04 info  message key=value`. The stack of an error follows on lines of its own. */
export function logLine(json: string): string {
  const record = parsed(json);
  if (record === null) return visible(json.trimEnd());
  const time = typeof record['time'] === 'string' ? record['time'].slice(11, 19) : '';
  const level = String(record['level'] ?? '').padEnd(5);
  const fields = Object.entries(record)
    .filter(([key]) => !placed.includes(key))
    .map(([key, value]) => ` ${key}=${fieldText(value)}`);
  const { summary, stack } = errorText(record['err']);
  const message = [record['msg'], summary].filter((part) => typeof part === 'string' && part !== '').filter(isFirst);
  return [visible(`${time} ${level} ${message.join(': ')}${fields.join('')}`), ...stack.map((frame) => `    ${visible(frame)}`)].join('\n');
}

function parsed(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function fieldText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function errorText(error: unknown): { readonly summary: string; readonly stack: readonly string[] } {
  if (typeof error !== 'object' || error === null || !('message' in error)) return { summary: '', stack: [] };
  const stack = 'stack' in error && typeof error.stack === 'string' ? error.stack.split('\n') : [];
  return { summary: String(error.message), stack: stack.map((frame) => frame.trim()).filter((frame) => /^at |^caused by/.test(frame)) };
}

/** Pino uses an error's message as the record's when there is no other. */
const isFirst = (part: unknown, index: number, parts: readonly unknown[]): boolean => parts.indexOf(part) === index;

/** Titles and comments come from strangers: control characters could move the cursor or recolour the terminal. */
function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) =>
    character === '\n' ? ' | ' : `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  );
}
