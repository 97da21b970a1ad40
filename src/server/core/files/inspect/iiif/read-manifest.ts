import { upgrade } from '@iiif/parser/upgrader';
import { MAX_LANGUAGES } from '../../../../../../engine/document/languages.ts';
import type { TextTranslations } from '../../../../../../engine/document/translation-fields.ts';
import { hashOfText } from '../../../../../../engine/document/translation-state.ts';
import type { IiifWork } from '../../../../../contract/entities.ts';
import { readJson, TooComplex } from '../../../read-json.ts';
import { damaged, unusable } from '../inspection.ts';
import { type Json, listOf, recordOf, textOf } from '../tours/values.ts';
import {
  firstLanguage,
  inLanguage,
  type LanguageValues,
  labeled,
  languageValues,
  linesIn,
  unspoken,
} from './language-values.ts';
import { addressOf, idOf, listed, paintedOn, typeOf } from './painted.ts';

/** A work, or another document whose works belong here. */
export type ManifestEntry = { work: IiifWork } | { document: string };

/** Contents of a document. */
export interface ReadManifest {
  id: string;
  title: string;
  language: string | null;
  /** Number of canvases in this document. */
  canvases: number;
  entries: ManifestEntry[];
  remarks: string[];
}

/** A document to read. */
interface ManifestInput {
  text: string;
  /** Its address; empty for a file. */
  address: string;
  /** Language of the texts; null for that of its label. */
  language: string | null;
  /** Maximum canvases to read. */
  limit: number;
}

/** Memory in bytes that a document may take once parsed. */
const MEMORY = 300 * 1024 * 1024;
/** Maximum nesting of embedded collections, characters of a description, lines of metadata, and remarks. */
const MAX_DEPTH = 8;
const MAX_DESCRIPTION = 3000;
const MAX_LINES = 60;
const MAX_REMARKS = 200;
/** Maximum characters of titles and of credit lines, and of rights. */
const MAX_LINE = 255;
const MAX_RIGHTS = 2000;

/** Whether a document follows Presentation API 2. */
const isOld = (json: Json): boolean =>
  textOf(json['@type']).startsWith('sc:') ||
  listed(json['@context']).some((each) => /\/presentation\/2\b|shared-canvas/.test(textOf(each)));

/** Replaces parts of images of version 2 by the images: the parser drops both. */
function unwrapImages({ sequences }: Json): void {
  const canvases = listOf(sequences).flatMap((sequence) => listOf(recordOf(sequence).canvases));
  for (const image of canvases.flatMap((canvas) => listOf(recordOf(canvas).images)).map(recordOf)) {
    const { full } = recordOf(image.resource);
    if (full !== undefined) image.resource = full;
  }
}

/**
 * A document of Presentation API 3.
 * @throws ApiError bad_file or wrong_type
 */
function parsed(text: string): Json {
  const plain = text.replace(/^\uFEFF/, '');
  if (/^\s*</.test(plain))
    throw unusable('This is a web page, not a IIIF manifest. Use the URL of the manifest itself.');
  let json: Json;
  try {
    json = recordOf(readJson(plain, { memory: MEMORY }));
  } catch (error) {
    if (error instanceof TooComplex) throw damaged(error.message);
    throw damaged('The manifest is not valid JSON.');
  }
  if (!isOld(json)) return json;
  try {
    unwrapImages(json);
    // The parser loses the license.
    const rights = listed(json.license).map(textOf).find(Boolean);
    return { ...recordOf(upgrade(json as never)), ...(rights && { rights }) };
  } catch {
    throw damaged('The manifest breaks the rules of the IIIF Presentation API 2.');
  }
}

const cut = (text: string, most: number) => text.slice(0, most).toWellFormed().trim();

/** Links of a resource, by their labels. */
const links = (value: unknown, main: string | null): LanguageValues[] =>
  listed(value)
    .slice(0, MAX_LINES)
    .map(recordOf)
    .map((link) => labeled(languageValues(link.label), unspoken(addressOf(idOf(link), '')), main));

/** Reads one document. */
class Reader {
  readonly #base: string;
  readonly #limit: number;
  readonly #main: string | null;
  readonly entries: ManifestEntry[] = [];
  readonly remarks: string[] = [];
  canvases = 0;
  #read = 0;

  constructor({ address, limit }: ManifestInput, main: string | null) {
    this.#base = address;
    this.#limit = limit;
    this.#main = main;
  }

  #note(sentence: string): void {
    if (this.remarks.length < MAX_REMARKS) this.remarks.push(sentence);
  }

  collection(collection: Json, depth = 0): void {
    for (const item of listOf(collection.items).map(recordOf)) {
      const type = typeOf(item);
      // Embedded collections and manifests have items; others are only named.
      if (Array.isArray(item.items) && /Manifest$/.test(type)) this.manifest(item);
      else if (Array.isArray(item.items) && /Collection$/.test(type)) {
        if (depth < MAX_DEPTH) this.collection(item, depth + 1);
        else this.#note(`Collections are nested more than ${MAX_DEPTH} levels deep; deeper ones are left out.`);
      } else {
        const document = addressOf(idOf(item), this.#base);
        if (document === '') this.#note('An entry of a collection has no web address; left out.');
        else this.entries.push({ document });
      }
    }
  }

  manifest(manifest: Json): void {
    const canvases = listOf(manifest.items).map(recordOf);
    this.canvases += canvases.length;
    const common = this.#common(manifest);
    const isOne = canvases.length === 1;
    const name = languageValues(manifest.label);
    for (const [nth, canvas] of canvases.entries()) {
      if (this.#read++ >= this.#limit) return;
      const own = languageValues(canvas.label);
      const title = isOne && name.size > 0 ? name : own.size > 0 ? own : unspoken(this.#numbered(name, nth));
      const { text: label, translated } = linesIn([title], this.#main, MAX_LINE);
      const shown = label === '' ? `Canvas ${nth + 1}` : label;
      const note = (sentence: string) => this.#note(sentence);
      const painted = paintedOn({ canvas, title: shown, note }, this.#base);
      if (!painted) continue;
      const statement = canvas.requiredStatement ? this.#statement(canvas) : common.statement;
      const rights = cut(textOf(canvas.rights), MAX_RIGHTS) || common.rights;
      const about = isOne ? [...this.#about(manifest), ...this.#about(canvas)] : [name, ...this.#about(canvas)];
      const lines = [statement.line, ...about, unspoken(rights), ...common.links];
      const description = linesIn(lines, this.#main, MAX_DESCRIPTION);
      const credit = cut(inLanguage(statement.value, this.#main), MAX_LINE);
      const translations: TextTranslations = {};
      const texts = { title: { text: label, translated }, description };
      for (const [field, { text, translated }] of Object.entries(texts))
        for (const [language, own] of text === '' ? [] : translated)
          if (language in translations || Object.keys(translations).length < MAX_LANGUAGES)
            translations[language] = { ...translations[language], [field]: { text: own, source: hashOfText(text) } };
      const key = cut(idOf(canvas), MAX_RIGHTS) || `${this.#base}#${nth + 1}`;
      const work = { key, ...painted, title: label, description: description.text, credit, rights, translations };
      this.entries.push({ work: work as IiifWork });
    }
  }

  #numbered(name: LanguageValues, nth: number): string {
    const text = inLanguage(name, this.#main);
    return text === '' ? '' : `${cut(text, MAX_LINE - 10)}, ${nth + 1}`;
  }

  #statement({ requiredStatement }: Json) {
    const { label, value } = recordOf(requiredStatement);
    const values = languageValues(value);
    return { value: values, line: labeled(languageValues(label), values, this.#main) };
  }

  /** Summary and metadata of a manifest or canvas. */
  #about({ summary, metadata }: Json): LanguageValues[] {
    const rows = listOf(metadata).slice(0, MAX_LINES).map(recordOf);
    return [
      languageValues(summary),
      ...rows.map(({ label, value }) => labeled(languageValues(label), languageValues(value), this.#main)),
    ];
  }

  /** What all canvases of a manifest have in common. */
  #common(manifest: Json) {
    const providers = listed(manifest.provider).slice(0, MAX_LINES).map(recordOf);
    return {
      statement: this.#statement(manifest),
      rights: cut(textOf(manifest.rights), MAX_RIGHTS),
      links: [
        ...providers.flatMap(({ label, homepage }) => [languageValues(label), ...links(homepage, this.#main)]),
        ...links(manifest.homepage, this.#main),
        ...links(manifest.seeAlso, this.#main),
        unspoken(addressOf(idOf(manifest), this.#base)),
      ],
    };
  }
}

/**
 * Reads a IIIF manifest or collection (Presentation API 2 or 3).
 * @throws ApiError bad_file or wrong_type
 */
export function readManifest(input: ManifestInput): ReadManifest {
  const json = parsed(input.text);
  const type = typeOf(json);
  const label = languageValues(json.label);
  const language = input.language ?? firstLanguage(label);
  const reader = new Reader(input, language);
  if (/^(?:sc:)?Collection$/.test(type)) reader.collection(json);
  else if (/^(?:sc:)?Manifest$/.test(type)) reader.manifest(json);
  else throw unusable('This JSON is not a IIIF manifest or collection. Use one of the Presentation API 2 or 3.');
  const { entries, remarks, canvases } = reader;
  const title = cut(inLanguage(label, language), MAX_LINE);
  return { id: addressOf(idOf(json), input.address), title, language, canvases, entries, remarks };
}
