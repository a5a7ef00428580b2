import { createInterface } from 'node:readline/promises';
import type { Input, Output } from './terminal.ts';

/** Asks whoever sits at the terminal. */
export interface Questions {
  /** An empty answer is `usual`; without one, it is asked again. */
  ask(question: string, usual: string | null): Promise<string>;
}

/** Nothing is read before the first question. */
export function openQuestions(input: Input, output: Output): Questions {
  return {
    async ask(question, usual) {
      const lines = createInterface({ input, output, terminal: false });
      try {
        for (;;) {
          const answer = (await lines.question(usual === null ? `${question}: ` : `${question} [${usual}]: `)).trim();
          if (answer !== '') return answer;
          if (usual !== null) return usual;
        }
      } finally {
        lines.close();
      }
    },
  };
}
