import { parseTranslations, type TextsByField, withTexts } from '../../../../engine/document/text-translations.ts';
import { ApiError } from '../../../contract/errors.ts';

/**
 * A column of translations with some of a language replaced.
 * @param sources current texts
 * @throws ApiError invalid over the limit of languages
 */
export function translationsWith(column: string, language: string, texts: TextsByField, sources: TextsByField): string {
  try {
    return JSON.stringify(withTexts(parseTranslations(column), language, texts, sources));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError('invalid', { language: [error.message] });
  }
}
