import { descriptors } from '../../../../engine/document/element.ts';
import { labelOf } from '../../../../engine/document/field-labels.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { runsOf } from '../../../../engine/document/texts.ts';
import { keyOf, type Translation } from '../../../../engine/document/translation-fields.ts';
import { stateOf, type TranslationState } from '../../../../engine/document/translation-state.ts';
import { type SourceText, sourceTexts, translationsOf } from '../../../../engine/document/translations.ts';
import { byId } from '../../../../engine/document/tree.ts';
import { csvCell } from '../../../contract/csv-cell.ts';

/** A text's name in files, an XML name token. */
export const unitName = ({ id, path }: Pick<SourceText, 'id' | 'path'>): string =>
  `${id === null ? 'space' : `element-${id}`}.${path}`;

/** The name of a space in XLIFF files. */
export const spaceName = (id: number): string => `space-${id}`;

/** A text with its translation. */
export interface Unit {
  /** Name of the text in the file. */
  name: string;
  kind: SourceText['kind'];
  text: string;
  translation: Translation | undefined;
  state: TranslationState;
  /** Where the text is, for translators. */
  note: string;
}

/** A file for translators. */
export interface TranslatorFile {
  /** Name of its subject, such as `space-5`. */
  name: string;
  title: string;
  /** Language of the texts; undefined if unknown. */
  source: string | undefined;
  units: readonly Unit[];
}

/** The texts of a space with their translations into a language. */
export function unitsOf(room: Room, language: string): (Unit & SourceText)[] {
  const elements = byId(room.elements);
  return sourceTexts(room).map((source) => {
    const element = source.id === null ? undefined : elements.get(source.id)!;
    const translation = translationsOf(element ?? room)[keyOf(language, source.path)];
    const what = element ? [descriptors[element.element].label, element.name && `“${element.name}”`] : ['Space'];
    const note = `${what.filter(Boolean).join(' ')}: ${labelOf(source.path)}`;
    return { ...source, name: unitName(source), translation, state: stateOf(translation, source.text), note };
  });
}

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Characters that XML 1.0 can't contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const escaped = (text: string) => text.replace(/[&<>"\r]/g, (sign) => SIGNS[sign]!);
const attribute = (text: string) => escaped(text.replace(NOT_XML, ' '));

/** A text as content of a source or target. */
const content = (text: string) =>
  escaped(text).replace(NOT_XML, (sign) => `<cp hex="${sign.charCodeAt(0).toString(16).padStart(4, '0')}"/>`);

/** The tags of a unit's texts, each with the reference to its data. */
class Tags {
  readonly #references = new Map<string, string>();
  #codes = 0;

  /** HTML with its tags as codes, which translation tools protect. */
  inline(html: string): string {
    return runsOf(html)
      .map((run, index) => (index % 2 === 0 ? content(run) : this.#code(run)))
      .join('');
  }

  /** Begins a target, whose codes have the same numbers as those of the source. */
  restart(): void {
    this.#codes = 0;
  }

  get data(): string {
    const all = [...this.#references].map(([tag, id]) => `<data id="${id}">${content(tag)}</data>`);
    return all.length === 0 ? '' : `\n      <originalData>${all.join('')}</originalData>`;
  }

  #code(tag: string): string {
    if (tag === '') return '';
    const reference = this.#references.get(tag) ?? `d${this.#references.size + 1}`;
    this.#references.set(tag, reference);
    return `<ph id="${++this.#codes}" dataRef="${reference}"/>`;
  }
}

/** States of segments; an outdated translation waits like a missing one. */
const SEGMENT_STATES: Record<TranslationState, string> = {
  missing: 'initial',
  outdated: 'initial',
  draft: 'translated',
  done: 'final',
};

function unitXml(unit: Unit): string {
  const tags = new Tags();
  const inline = (text: string) => (unit.kind === 'html' ? tags.inline(text) : content(text));
  const source = inline(unit.text);
  tags.restart();
  const target = unit.translation ? `<target>${inline(unit.translation.text)}</target>` : '';
  return `    <unit id="${unit.name}">
      <notes><note>${attribute(unit.note)}</note></notes>${tags.data}
      <segment state="${SEGMENT_STATES[unit.state]}"><source>${source}</source>${target}</segment>
    </unit>
`;
}

/** Texts as XLIFF 2.1, in pieces. The source language is `und` if unknown. */
export function* xliffOf({ name, title, source, units }: TranslatorFile, language: string): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="${source ?? 'und'}" trgLang="${language}">
  <file id="${name}" original="${attribute(title)}" xml:space="preserve">
`;
  for (const unit of units) yield unitXml(unit);
  yield '  </file>\n</xliff>\n';
}

/** Texts as CSV with a heading, in pieces. */
export function* csvOf({ units }: TranslatorFile): Generator<string> {
  const line = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;
  // With a byte order mark, spreadsheets read it as UTF-8.
  yield `\ufeff${line(['id', 'where', 'text', 'translation', 'state'])}`;
  for (const unit of units) yield line([unit.name, unit.note, unit.text, unit.translation?.text ?? '', unit.state]);
}
