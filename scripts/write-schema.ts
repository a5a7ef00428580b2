import { writeFileSync } from 'node:fs';
import { configJsonSchema } from '../src/config/schema/json-schema.ts';

const target = new URL('../config/bridge.schema.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
