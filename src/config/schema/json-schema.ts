import * as z from 'zod/mini';
import { createSchema } from './route.ts';
import { configSchema } from './schema.ts';

/** The JSON Schema of the configuration file, for editors; most of them understand draft 7. */
export function configJsonSchema(): object {
  return {
    ...z.toJSONSchema(configSchema, {
      io: 'input',
      target: 'draft-7',
      override({ zodSchema, jsonSchema }) {
        // The rule for custom field names, which zod has only as code.
        if (zodSchema !== createSchema || typeof jsonSchema.additionalProperties !== 'object') return;
        jsonSchema.patternProperties = { '^cf_\\w': jsonSchema.additionalProperties };
        jsonSchema.additionalProperties = false;
      },
    }),
    title: 'bugferry configuration',
  };
}
