import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Where compiled modules are kept: without it, every start reads TypeScript anew. It holds for what is loaded from here on.
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/enfilade', import.meta.url)));
// What is wrong with the settings is said before all else is loaded, which takes most of a start.
const { readOrEnd } = await import('./core/read-or-end.ts');
const settings = readOrEnd(process.env);
const { runServer } = await import('./app/run-server.ts');
runServer(settings);
