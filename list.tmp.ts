import { readFileSync } from 'node:fs';
import { sourceMessages } from './tests/ui/language/message-sources.ts';
const table = JSON.parse(readFileSync('src/ui/language/tables/nl.json','utf8'));
for (const [text, place] of sourceMessages()) if (!table[text]) console.log(`${place}\t${text}`);
