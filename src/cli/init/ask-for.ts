import { SideError } from '../../model/outcome.ts';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { type Asking, visible } from '../terminal.ts';

interface Question<T> extends Asking {
  /** The value of the option; if it is set, there is no question. */
  readonly given: string | undefined;
  readonly option: string;
  /** Checks an answer. Throws `UsageError`, or a `SideError` of a side that does not accept it. */
  accept(answer: string): Promise<T>;
}

/** The value of the option, or the first accepted answer. */
export async function askFor<T>({ questions, terminal }: CommandContext, asked: Question<T>): Promise<T> {
  const { given, option, question, choices = [], usual = null, accept } = asked;
  const fixed = given ?? (questions === null ? usual : null);
  if (fixed !== null) return accept(fixed);
  if (questions === null) throw new UsageError(`Cannot ask without a terminal: give ${option} (${question}).`);
  for (;;) {
    const answer = await questions.ask({ question, choices, usual });
    try {
      return await accept(answer);
    } catch (error) {
      if (!isAboutAnswer(error)) throw error;
      terminal.note(visible(error.message));
    }
  }
}

/** If a side refuses the credentials, another answer would not help. */
const isAboutAnswer = (error: unknown): error is Error =>
  error instanceof UsageError || (error instanceof SideError && error.kind !== 'unauthorized');
