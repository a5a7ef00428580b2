import * as z from 'zod/mini';
import { closed, text } from './parts.ts';

const part = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

export const notifySchema = closed({
  command: z
    .optional(z.array(text).check(z.minLength(1)))
    .check(
      z.describe(
        'A program and its arguments, run without a shell. It reads the notice, as JSON, from its standard input.',
      ),
    ),
  webhook: z.optional(
    closed({
      address: z.optional(text).check(z.describe('Receives the notice by POST. Set this or addressFile.')),
      addressFile: z
        .optional(text)
        .check(z.describe('A file that contains the address. Relative to the working directory.')),
      token: z
        .optional(text)
        .check(z.describe('Sent as Authorization: Bearer. Set this or tokenFile, if the receiver asks for it.')),
      tokenFile: z
        .optional(text)
        .check(z.describe('A file that contains the token. Relative to the working directory.')),
      body: z
        ._default(z.record(text, part), { text: '{title}\n{text}' })
        .check(
          z.describe(
            'The JSON to send; {title}, {text}, {route} and {need} are replaced. Slack and Matrix take the default.',
          ),
        ),
    }),
  ),
  mail: z.optional(
    closed({
      to: z.union([text, z.array(text).check(z.minLength(1))], { error: 'must be an address or a list of addresses' }),
      from: z.optional(text).check(z.describe('The sender; by default the user of the process, as sendmail has it.')),
      sendmail: z._default(text, '/usr/sbin/sendmail').check(z.describe('The program that takes the mail.')),
    }),
  ),
  pauseMinutes: z
    ._default(z.number().check(z.gt(0)), 60)
    .check(z.describe('After a notice about a route, none that it needs somebody follows for so long.')),
});
