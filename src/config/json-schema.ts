import { z } from 'zod';
import { configSchema, createSchema } from './schema.ts';

/** The JSON Schema of the configuration file, for editors; draft 7 is what most of them understand. */
export function configJsonSchema(): object {
  return {
    ...z.toJSONSchema(configSchema, {
      io: 'input',
      target: 'draft-7',
      override({ zodSchema, jsonSchema }) {
        // The rule for names of custom fields, which the schema of zod has as code.
        if (zodSchema !== createSchema || typeof jsonSchema.additionalProperties !== 'object') return;
        jsonSchema.patternProperties = { '^cf_\\w': jsonSchema.additionalProperties };
        jsonSchema.additionalProperties = false;
      },
    }),
    title: 'bugferry configuration',
  };
}
