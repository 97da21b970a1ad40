/** Built-in date formats (ECMA-376, 18.8.30), without times. */
const DATE_FORMATS = [
  [14, 17],
  [22, 22],
  [27, 31],
  [36, 36],
  [50, 58],
] as const;

/** Number format of a cell: its number, and its code unless it is built in. */
interface NumberFormat {
  id: number;
  code: string;
}

/** A format code without quoted texts, escaped characters, colors and conditions. */
const bare = (code: string) => code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '');

/** Whether a number format shows a date. */
export const isDateFormat = ({ id, code }: NumberFormat): boolean =>
  code === ''
    ? DATE_FORMATS.some(([from, to]) => from <= id && id <= to)
    : /[yd]/i.test(bare(code).replace(/general/gi, ''));

const DAY = 86_400_000;
/** Day 0 of serial dates, and days between it and that of workbooks of old Macs. */
const EPOCH = Date.UTC(1899, 11, 30);
const MAC_DAYS = 1462;

/** A serial date as ISO 8601, or as a year if its format shows only that. */
export function serialText(serial: number, { code }: NumberFormat, is1904: boolean): string {
  const time = EPOCH + (Math.floor(serial) + (is1904 ? MAC_DAYS : 0)) * DAY;
  if (Math.abs(time) > 8.64e15) return String(serial);
  const iso = new Date(time).toISOString();
  return /^y+$/i.test(bare(code).trim()) ? iso.slice(0, 4) : iso.slice(0, 10);
}
