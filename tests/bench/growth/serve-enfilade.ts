import { startEnfilade } from '../enfilade.ts';

/** The whole server without content; prints its origin as a line of JSON. Usage: `node serve-enfilade.ts <folder>` */
const { origin, token } = await startEnfilade(process.argv[2]!);
console.log(JSON.stringify({ origin, token }));
