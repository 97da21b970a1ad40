import { startEnfilade } from '../enfilade.ts';
import { furnishHall } from './crowd.ts';

/**
 * The whole server with a space of many elements. Prints its origin as a line of JSON, and answers each message with
 * its CPU time. Usage: `node serve-enfilade.ts <folder> <elements>`
 */
const [folder, elements] = process.argv.slice(2) as [string, string];
const { origin, client, token } = await startEnfilade(folder);
const { room, first } = await furnishHall(client, Number(elements));
console.log(JSON.stringify({ origin, token, room: String(room), first: String(first) }));
