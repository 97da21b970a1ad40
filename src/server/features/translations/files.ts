import { Readable } from 'node:stream';
import { canonicalTag } from '../../../../engine/document/languages.ts';
import { ApiError } from '../../../contract/errors.ts';
import { MAX_TRANSLATIONS_BYTES } from '../../../contract/file-limits.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import type { TranslatedUnit, TranslationFile } from '../../core/files/inspect/translations/read-translations.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { Download } from '../../core/http/download.ts';
import { csvOf, type TranslatorFile, type Unit, xliffOf } from './write-translations.ts';

const TYPES = { xliff: 'application/xliff+xml; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const;

/** Language and format of an export. */
export interface ExportOptions {
  language: string;
  format: keyof typeof TYPES;
}

/** A file for translators as a download. */
export function translatorDownload(file: TranslatorFile, { language, format }: ExportOptions): Download {
  const pieces = format === 'xliff' ? xliffOf(file, language) : csvOf(file);
  const name = `${file.title} ${language}.${format === 'xliff' ? 'xlf' : 'csv'}`;
  return new Download(name, Readable.from(pieces), TYPES[format]);
}

/**
 * Reads an uploaded file of translations.
 * @param wanted the expected subject and language
 * @throws ApiError bad_file; invalid for other content or another language
 */
export async function readFile(
  { media, workers, organizationId }: SignedInContext,
  upload: Upload | undefined,
  { name, language }: { name: string; language: string },
): Promise<TranslationFile> {
  if (!upload) throw new ApiError('invalid', { file: ['Choose a file.'] });
  const arrival = await media.receive(upload, { most: MAX_TRANSLATIONS_BYTES });
  const file = await workers
    .run('readTranslations', arrival.file, ofOrganization(organizationId))
    .finally(() => media.discard(arrival));
  if (file.space !== null && file.space !== name)
    throw new ApiError('invalid', { file: [`This file contains the texts of another ${name.split('-')[0]}.`] });
  if (file.language !== null && canonicalTag(file.language) !== language)
    throw new ApiError('invalid', {
      file: [`This file contains translations into ${file.language}, not ${language}.`],
    });
  return file;
}

/** Texts as they compare: files have their own line breaks, and tables no spaces at the ends. */
const comparable = (text: string) => text.replace(/\r\n?/g, '\n').trim();

const CHANGED = 'The text has changed since the export. Export it again.';

/** The texts of a file with those that they translate. */
interface Matched<U> {
  /** Translations that differ. */
  matched: { unit: U; target: string }[];
  refused: { unit: U | undefined; name: string; message: string }[];
  unchanged: number;
}

/** Compares the units of a file with the present texts. @param unknown message about a text that is none of them */
export function matchedUnits<U extends Unit>(
  present: readonly U[],
  units: readonly TranslatedUnit[],
  unknown: string,
): Matched<U> {
  const texts = new Map(present.map((unit) => [unit.name, unit]));
  const result: Matched<U> = { matched: [], refused: [], unchanged: 0 };
  const seen = new Set<string>();
  for (const { name, source, target, isFinal } of units) {
    const unit = texts.get(name);
    const refuse = (message: string) => result.refused.push({ unit, name, message });
    if (!unit) refuse(unknown);
    else if (seen.has(name)) refuse('The file contains this text twice.');
    else if (comparable(source) !== comparable(unit.text)) refuse(CHANGED);
    else {
      const isEqual = unit.translation !== undefined && comparable(unit.translation.text) === comparable(target);
      // An approved draft or outdated translation is a change, even if its text is the same.
      const isApproved = isFinal && unit.state !== 'done';
      if (target.trim() === '' || (isEqual && !isApproved)) result.unchanged++;
      else result.matched.push({ unit, target });
    }
    seen.add(name);
  }
  return result;
}
