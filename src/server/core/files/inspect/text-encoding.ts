import chardet from 'chardet';

/** Decodes UTF-16 with a byte order mark; undefined without one. */
export function utf16Of(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return undefined;
}

/** Detectable encodings; any other is treated as Windows-1252. */
const ENCODINGS: Record<string, string> = {
  'ISO-8859-2': 'windows-1250',
  'windows-1250': 'windows-1250',
  'ISO-8859-5': 'iso-8859-5',
  'windows-1251': 'windows-1251',
  'KOI8-R': 'koi8-r',
  'ISO-8859-7': 'windows-1253',
  'windows-1253': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'windows-1255': 'windows-1255',
  'ISO-8859-9': 'windows-1254',
  'windows-1254': 'windows-1254',
  'windows-1256': 'windows-1256',
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  Big5: 'big5',
  GB18030: 'gb18030',
};
/** Bytes of text used to detect the encoding. */
const MAX_WORDS = 64 * 1024;
/** Central European letters of Windows-1250 that Windows-1252 maps to symbols or other letters. */
const CENTRAL = /[ąćčďęěłńňőřśšťůűźżžŁŚŠŹŻŽČĆŘŐŰ]/g;
/** Symbols between letters, a sign of a wrong encoding. */
const ODD = /\p{L}[¡-¿]\p{L}/gu;
/** Minimum detection confidence, of 100. */
const MIN_CONFIDENCE = 20;

/** Detects a legacy encoding by letter statistics, from the lines that are words. */
export function encodingOf(bytes: Uint8Array, isWords: (line: string) => boolean = () => true): string {
  const words = Buffer.from(bytes.subarray(0, MAX_WORDS))
    .toString('latin1')
    .split(/\r\n?|\n/)
    .filter(isWords)
    .join('\n');
  const sample = Buffer.from(words, 'latin1');
  const [likely, ...others] = chardet.analyse(sample).filter(({ confidence }) => confidence > MIN_CONFIDENCE);
  const told = [likely, ...others].flatMap((each) => (each && ENCODINGS[each.name]) ?? [])[0];
  const isWestern = likely !== undefined && /^(?:ISO-8859-1|windows-1252)$/.test(likely.name);
  if (told && !isWestern) return told;
  // Polish and Czech read as Windows-1252 have symbols inside words.
  const asCentral = new TextDecoder('windows-1250').decode(sample);
  const asWestern = new TextDecoder('windows-1252').decode(sample);
  const isCentral = (asWestern.match(ODD)?.length ?? 0) > 0 && (asCentral.match(CENTRAL)?.length ?? 0) > 0;
  return isCentral ? 'windows-1250' : 'windows-1252';
}
