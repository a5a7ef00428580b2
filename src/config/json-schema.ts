import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The JSON Schema of the configuration file, for editors; draft 7 is what most of them understand. */
export function configJsonSchema(): object {
  return {
    ...z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' }),
    title: 'bugferry configuration',
  };
}
