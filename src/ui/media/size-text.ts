import { locale } from '../language/language.ts';

const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** A file size in readable units. */
export const sizeText = (bytes: number): string =>
  bytes < 1e6
    ? `${size.format(Math.max(0.1, bytes / 1e3))} kB`
    : bytes < 1e9
      ? `${size.format(bytes / 1e6)} MB`
      : `${size.format(bytes / 1e9)} GB`;
