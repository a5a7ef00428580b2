import { z } from 'zod';
import { closed, text } from './parts.ts';

const part = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

export const notifySchema = closed({
  command: z
    .array(text)
    .min(1)
    .optional()
    .describe(
      'A program and its arguments, run without a shell. It reads the notice, as JSON, from its standard input.',
    ),
  webhook: closed({
    address: text.optional().describe('Receives the notice by POST. Set this or addressFile.'),
    addressFile: text.optional().describe('A file that contains the address. Relative to the working directory.'),
    token: text
      .optional()
      .describe('Sent as Authorization: Bearer. Set this or tokenFile, if the receiver asks for it.'),
    tokenFile: text.optional().describe('A file that contains the token. Relative to the working directory.'),
    body: z
      .record(text, part)
      .default({ text: '{title}\n{text}' })
      .describe(
        'The JSON to send; {title}, {text}, {route} and {need} are replaced. Slack and Matrix take the default.',
      ),
  }).optional(),
  mail: closed({
    to: z.union([text, z.array(text).min(1)], { error: 'must be an address or a list of addresses' }),
    from: text.optional().describe('The sender; by default the user of the process, as sendmail has it.'),
    sendmail: text.default('/usr/sbin/sendmail').describe('The program that takes the mail.'),
  }).optional(),
  pauseMinutes: z
    .number()
    .gt(0)
    .default(60)
    .describe('After a notice about a route, none that it needs somebody follows for so long.'),
});
