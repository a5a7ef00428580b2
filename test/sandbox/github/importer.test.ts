import { directImporter } from '../../../src/sandbox/github/importer.ts';
import { importerContract } from '../../contract/github/importer.ts';

importerContract('the direct door of imports', async ({ world, clock, faults }) => ({
  importer: directImporter(world, { user: 'bugferry', repo: 'acme/widget', clock, faults }),
  close: async () => {},
}));
