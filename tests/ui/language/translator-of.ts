import { readFileSync } from 'node:fs';
import { MessageTranslator } from '../../../src/ui/language/message-translator.ts';

/** A table in `src/ui/language`, by English texts. */
export const tableOf = (kind: 'messages' | 'tables', language: string): Record<string, string> =>
  JSON.parse(readFileSync(`src/ui/language/${kind}/${language}.json`, 'utf8'));

/** Translates messages as the back-office does in a language. */
export function translatorOf(language: string): MessageTranslator {
  const table = tableOf('tables', language);
  const messages = tableOf('messages', language);
  return new MessageTranslator({ language, locale: language, messages, translationOf: (text) => table[text] ?? text });
}
