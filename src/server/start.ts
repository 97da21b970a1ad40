import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Where compiled modules are kept: without it, every start reads TypeScript anew. It holds for what is loaded from here on.
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/enfilade', import.meta.url)));
const { runServer } = await import('./http/run-server.ts');
runServer();
