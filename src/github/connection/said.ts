/** The words of an answer: GitHub's own, or those of a page that something in between made. */

import * as z from 'zod';

const fieldErrorSchema = z.object({
  resource: z.string().nullish(),
  field: z.string().nullish(),
  code: z.string().nullish(),
  message: z.string().nullish(),
  value: z.unknown().optional(),
});
const errorBodySchema = z.object({
  message: z.string().catch(''),
  errors: z.array(z.union([z.string(), fieldErrorSchema])).catch([]),
});

/** Whether it has the form of GitHub's failures, which no page of a proxy or a firewall has. */
export const isOfGithub = (data: unknown): boolean =>
  !(data instanceof ArrayBuffer) && errorBodySchema.safeParse(data).success;

/** GitHub's message and field errors in one line; empty if the answer is not GitHub's own. */
export function reasonsOf(data: unknown): string {
  const body = errorBodySchema.safeParse(data);
  if (!body.success) return '';
  const details = body.data.errors.map((error) => (typeof error === 'string' ? error : fieldErrorInWords(error)));
  return oneLine([body.data.message, ...details].filter((part) => part !== '').join('; '));
}

/** GitHub's own words, without echoed values, which users wrote. */
export function messagesOf(data: unknown): string {
  const body = errorBodySchema.safeParse(data);
  if (!body.success) return '';
  return [
    body.data.message,
    ...body.data.errors.map((error) => (typeof error === 'string' ? error : (error.message ?? ''))),
  ].join('; ');
}

export function faultsOf(data: unknown): readonly string[] {
  const body = errorBodySchema.safeParse(data);
  if (!body.success) return [];
  const parts = body.data.errors.flatMap((error) =>
    typeof error === 'string' ? [error] : [error.resource, error.field, error.code, error.message, error.value],
  );
  return [body.data.message, ...parts].flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : []));
}

function fieldErrorInWords(error: z.infer<typeof fieldErrorSchema>): string {
  if (error.message)
    return error.field && !error.message.includes(error.field) ? `${error.field}: ${error.message}` : error.message;
  const value = typeof error.value === 'string' || typeof error.value === 'number' ? ` ("${error.value}")` : '';
  return `${error.field ?? error.resource ?? 'a field'}${value} is ${(error.code ?? 'invalid').replaceAll('_', ' ')}`;
}

const pageMax = 20_000;

/** The beginning of an answer without GitHub's form, as a person reads it; empty if it has that form. */
export function pageOf(data: unknown): string {
  if (isOfGithub(data)) return '';
  const text = data instanceof ArrayBuffer ? new TextDecoder().decode(data.slice(0, pageMax)) : data;
  return typeof text === 'string' ? oneLine(text.slice(0, pageMax).replace(/<[^<>]*>|&nbsp;/gu, ' ')) : '';
}

export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();
