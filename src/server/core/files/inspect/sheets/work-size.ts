/** Centimeters per unit of length. */
const UNITS: Readonly<Record<string, number>> = {
  mm: 0.1,
  cm: 1,
  m: 100,
  in: 2.54,
  inch: 2.54,
  inches: 2.54,
  zoll: 2.54,
  '"': 2.54,
  '”': 2.54,
  '″': 2.54,
  ft: 30.48,
  feet: 30.48,
};

const NUMBER = /(^|[^\d.,])(-?)(\d[\d.,]*)/g;
const UNIT = /(?:^|[^a-z])(mm|cm|m|in|inch|inches|zoll|ft|feet)(?![a-z])|(["”″])/;

/** The unit that a text names, in centimeters; undefined for none. */
export function unitIn(text: string): number | undefined {
  const [, word, sign] = UNIT.exec(text.toLowerCase().replace(/(\d)(?=[a-z])/g, '$1 ')) ?? [];
  return UNITS[word ?? sign ?? ''];
}

/**
 * A number with a decimal point or comma. With both, the last one is the decimal separator; groups of three digits are
 * thousands only in millimeters, because no work is measured to the hundredth of a millimeter.
 */
function numberOf(digits: string, unit: number | undefined): number {
  const text = digits.replace(/[.,]+$/, '');
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last < 0) return Number(text);
  const [whole, rest] = [text.slice(0, last).replace(/[.,]/g, ''), text.slice(last + 1)];
  const isThousands = rest.length === 3 && unit === UNITS.mm;
  return Number(isThousands ? `${whole}${rest}` : `${whole}.${rest}`);
}

/** Lengths in a text, in centimeters. */
export interface Lengths {
  sides: number[];
  /** Whether a unit is missing and centimeters are assumed. */
  isAssumed: boolean;
}

/**
 * Lengths such as `60 × 80 cm`, `24" x 36"` or `60,5x80`, in the unit of the text.
 * @param heading name of the column, which may contain the unit
 */
export function lengthsIn(text: string, heading: string): Lengths {
  const unit = unitIn(text) ?? unitIn(heading.replace(/[()[\]]/g, ' '));
  const sides = [...text.matchAll(NUMBER)].map(([, , sign, digits]) => {
    const value = numberOf(digits!, unit) * (unit ?? 1);
    return Math.round((sign === '-' ? -value : value) * 100) / 100;
  });
  return { sides, isAssumed: unit === undefined };
}

/** The order of sides that a text such as `H × W` or `60 (h) × 80 (w)` names; undefined if it doesn't. */
export function orderIn(text: string): 'height first' | 'width first' | undefined {
  const apart = text.toLowerCase().replace(/(?<=[hwbl])x(?=[hwbl])/g, ' x ');
  const marks: readonly string[] = apart.match(/(?<![a-z])[hwbl](?![a-z])/g) ?? [];
  const height = marks.indexOf('h');
  if (height < 0) return undefined;
  return height === 0 ? 'height first' : 'width first';
}
