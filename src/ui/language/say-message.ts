import { language, locale, messages, translationOf } from './language.ts';
import { MessageTranslator } from './message-translator.ts';

let translator: MessageTranslator | undefined;

/**
 * A message of the server, the contract or the document in the page's language: an error, a report or a finding. The
 * server writes English; unknown messages stay as they are.
 */
export function sayMessage(text: string): string {
  if (language === 'en') return text;
  translator ??= new MessageTranslator({ language, locale, messages, translationOf });
  return translator.translate(text);
}
