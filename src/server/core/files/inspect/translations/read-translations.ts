import { readFile } from 'node:fs/promises';
import { plainCell } from '../../../../../contract/csv-cell.ts';
import { damaged } from '../inspection.ts';
import { sheetRows } from '../sheets/sheet-rows.ts';
import { readXml, type XmlElement } from '../tours/xml.ts';

/** Maximum number of texts in a file. */
const MAX_UNITS = 20_000;
/** Maximum number of XML elements: a text has about six, and one per tag of its HTML. */
const MAX_ELEMENTS = 400_000;

/** A text in a file of translations. */
export interface TranslatedUnit {
  /** Its name in the file, such as `element-12.config.title`. */
  name: string;
  source: string;
  /** Empty for none. */
  target: string;
  /** Whether the translator has approved it. */
  isFinal: boolean;
}

/** A file of translations. */
export interface TranslationFile {
  /** Name of the space's part, such as `space-5`; null if the format has none. */
  space: string | null;
  /** Target language; null if the format has none. */
  language: string | null;
  units: TranslatedUnit[];
}

const named = (elements: readonly XmlElement[], name: string): XmlElement[] =>
  elements.filter((element) => element.name === name);

/** The text of a source or target, with its inline codes replaced by the tags that they stand for. */
function textOf(element: XmlElement | undefined, data: ReadonlyMap<string, string>): string {
  if (!element) return '';
  const parts = element.content.map((part): string => {
    if (typeof part === 'string') return part;
    const { attributes } = part;
    const of = (reference: string | undefined) => (reference === undefined ? '' : (data.get(reference) ?? ''));
    switch (part.name) {
      case 'ph':
      case 'sc':
      case 'ec':
        return of(attributes.dataref);
      case 'pc':
        return `${of(attributes.datarefstart)}${textOf(part, data)}${of(attributes.datarefend)}`;
      case 'cp':
        return characterOf(attributes.hex);
      default:
        return textOf(part, data);
    }
  });
  return parts.join('');
}

/** A character that XML can't contain, by its hexadecimal code point; nothing for an invalid one. */
function characterOf(hex = ''): string {
  const code = /^[0-9a-f]{1,6}$/i.test(hex) ? Number.parseInt(hex, 16) : 0x110000;
  return code <= 0x10ffff && code !== 0 ? String.fromCodePoint(code).toWellFormed() : '';
}

function unitOf(unit: XmlElement): TranslatedUnit {
  const data = new Map(
    named(unit.children, 'originaldata')
      .flatMap(({ children }) => named(children, 'data'))
      .map((each) => [each.attributes.id ?? '', textOf(each, new Map())]),
  );
  // Tools may split a text into segments; what they put between them is text, too.
  const parts = unit.children.filter(({ name }) => name === 'segment' || name === 'ignorable');
  const join = (name: string) =>
    parts.map(({ children }) => textOf(named(children, name)[0] ?? named(children, 'source')[0], data)).join('');
  const isTranslated = named(unit.children, 'segment').some(({ children }) => {
    const [target] = named(children, 'target');
    return target !== undefined && textOf(target, data) !== '';
  });
  const states = named(unit.children, 'segment').map(({ attributes }) => attributes.state);
  return {
    name: unit.attributes.id ?? '',
    source: join('source'),
    target: isTranslated ? join('target') : '',
    isFinal: states.every((state) => state === 'reviewed' || state === 'final'),
  };
}

/** All units of a file, in groups or not. */
const unitsIn = (element: XmlElement): XmlElement[] =>
  element.children.flatMap((child) => (child.name === 'unit' ? [child] : child.name === 'group' ? unitsIn(child) : []));

function readXliff(text: string): TranslationFile {
  const [root] = named(readXml(text, 'The file', { elements: MAX_ELEMENTS, trims: false }), 'xliff');
  if (!root) throw damaged("This isn't an XLIFF file.");
  if (!/^2\.\d$/.test(root.attributes.version ?? ''))
    throw damaged('Only XLIFF 2 can be read. Export the translations again, and ask for XLIFF 2.1.');
  const files = named(root.children, 'file');
  if (files.length !== 1) throw damaged('An XLIFF file contains the texts of one space: one <file>.');
  const units = unitsIn(files[0]!);
  return {
    space: files[0]!.attributes.id ?? '',
    language: root.attributes.trglang ?? null,
    units: units.map(unitOf),
  };
}

async function readTable(path: string): Promise<TranslationFile> {
  const rows = await sheetRows(path);
  const [heading, ...others] = rows.map(({ cells }) => cells.map(plainCell));
  const columns = (heading ?? []).map((cell) => cell.trim().toLowerCase());
  const [name, source, target, state] = ['id', 'text', 'translation', 'state'].map((title) => columns.indexOf(title));
  if (name === -1 || source === -1 || target === -1)
    throw damaged('The first row needs the columns “id”, “text” and “translation”, as in an exported file.');
  const units = others.map((cells) => ({
    name: cells[name!] ?? '',
    source: cells[source!] ?? '',
    target: cells[target!] ?? '',
    isFinal: cells[state!]?.trim().toLowerCase() === 'done',
  }));
  return { space: null, language: null, units: units.filter((unit) => unit.name !== '') };
}

/**
 * Reads a file of translations: XLIFF 2 (http://docs.oasis-open.org/xliff/xliff-core/v2.1/), or a table as CSV or XLSX.
 * @throws ApiError bad_file naming the problem
 */
export async function readTranslations(path: string): Promise<TranslationFile> {
  const bytes = await readFile(path);
  const isXml = /^\s*</.test(bytes.toString('utf8', 0, 200));
  const file = isXml ? readXliff(bytes.toString('utf8')) : await readTable(path);
  if (file.units.length > MAX_UNITS)
    throw damaged(`The file has ${file.units.length} texts. Import at most ${MAX_UNITS} at once.`);
  return file;
}
