import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Progress } from '../model/rehearsal.ts';

const text = z.string();

const caseSchema = z.object({
  id: text,
  family: text,
  assumes: text,
  usedIn: z.array(text),
  verdict: z.enum(['as-assumed', 'differs', 'not-tried']),
  expected: text,
  seen: text.nullable(),
  why: text.nullable(),
  means: text.nullable(),
});

const progressSchema = z.object({
  bugferry: text,
  server: text,
  serverVersion: text,
  repository: text,
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  requests: z.int().min(0),
  cases: z.array(caseSchema),
  made: z.record(text, z.object({ issue: z.int(), id: z.number(), node: text })),
  names: z.int().min(0),
  branches: z.array(text),
  creations: z.array(z.number()),
  left: z.array(text).nullable(),
});

/** The file is not the result of a rehearsal. */
export class MeasuredUnusable extends Error {
  override readonly name = 'MeasuredUnusable';
}

/** What a rehearsal wrote into a file; null if there is no such file. Throws `MeasuredUnusable`. */
export function readMeasured(file: string): Progress | null {
  if (!existsSync(file)) return null;
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new MeasuredUnusable(`${file} cannot be read as the result of a rehearsal: ${wordsOf(cause)}`, { cause });
  }
  const parsed = progressSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new MeasuredUnusable(
    `${file} is not the result of a rehearsal: ${z.prettifyError(parsed.error).replace(/\s+/gu, ' ').slice(0, 200)}`,
  );
}

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
