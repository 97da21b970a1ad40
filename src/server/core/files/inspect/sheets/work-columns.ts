import { foldedName } from '../codes/heading-names.ts';
import { HEADING_ROWS, type SheetRow } from './xlsx.ts';

/** What the columns of a sheet of works mean. */
export type WorkColumn = 'image' | 'title' | 'author' | 'date' | 'size' | 'width' | 'height' | 'text';

const UNITS = '(?:mm|cm|m|in|inch|inches|zoll|ft|feet)';
const matcher = (...names: string[]) => new RegExp(`^(?:${names.join('|')})(?: (?:in )?${UNITS})?$`);

/** Names of columns in English, Dutch, German and French, folded. */
const NAMES: readonly (readonly [WorkColumn, RegExp])[] = [
  [
    'image',
    matcher(
      '(?:image|pic(?:ture)?|photo|media)(?: (?:file|name|file name|filename|url|id))?',
      'file ?names?|files?|url',
      '(?:bild|foto)(?:datei|name)?|datei(?:name)?',
      'afbeelding|bestands?naam|bestand',
      'fichiers?|nom (?:du |de )?fichier|visuel',
    ),
  ],
  ['title', matcher('titles?|titel|titre|name|naam|works?|artworks?|werk|kunstwerk|oeuvre')],
  [
    'author',
    matcher(
      'artists?|artist name|authors?|creator|maker|painter|photographer',
      'kunstler|kunstlerin|kuenstler|fotografi?n?',
      'kunstenaars?|fotograaf|artistes?|auteurs?|photographe',
    ),
  ],
  ['date', matcher('years?|dates?|jahr|datum|datierung|jaar|datering|annees?')],
  [
    'size',
    matcher(
      '(?:sizes?|dimensions?|real size|maße?|masse|großen?|grosse|format|afmeting(?:en)?|formaat|maten|taille)(?: [hwbl]x[hwbl]| [hwbl](?: x)? [hwbl])?',
    ),
  ],
  ['width', matcher('width|breite|breedte|largeur|w|b')],
  ['height', matcher('height|hohe|hoogte|hauteur|h')],
  ['text', matcher('texts?|descriptions?|captions?|beschreibung|beschrijving|tekst|textes?|legende|notes?')],
];

const columnOf = (name: string): WorkColumn | undefined => {
  const folded = foldedName(name);
  return NAMES.find(([, names]) => names.test(folded))?.[0];
};

/** The heading of a sheet: the columns by meaning, their names, and the row. */
export interface WorkHeading {
  row: number;
  at: ReadonlyMap<WorkColumn, number>;
  names: readonly string[];
}

/** Finds the heading: the first row that names a column of images. Of columns with the same meaning, the first counts. */
export function findHeading(rows: readonly SheetRow[]): WorkHeading | undefined {
  for (const { row, cells } of rows.slice(0, HEADING_ROWS)) {
    const at = new Map<WorkColumn, number>();
    for (const [index, cell] of cells.entries()) {
      const column = columnOf(cell);
      if (column && !at.has(column)) at.set(column, index);
    }
    if (at.has('image')) return { row, at, names: cells };
  }
  return undefined;
}
