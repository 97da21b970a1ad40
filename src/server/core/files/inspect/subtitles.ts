import { damaged } from './inspection.ts';
import { encodingOf, utf16Of } from './text-encoding.ts';

/**
 * Maximum size of a SubRip file in bytes, and maximum number of subtitles: a day of speech has about twenty thousand.
 */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_CUES = 50_000;
/** Bytes used to detect SRT. */
const SRT_HEAD_BYTES = 8192;
/** Maximum length in characters of a line with times. */
const MAX_TIMES_LENGTH = 200;

/** Start and end times of a subtitle; coordinates after them are ignored. */
const TIMES =
  /^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,3}))?\s*-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,3}))?(?:\s.*)?$/;

/** A subtitle: start and end in milliseconds, and its lines. */
interface Cue {
  start: number;
  end: number;
  lines: string[];
}

/** A converted SRT file. */
export interface ConvertedSubtitles {
  vtt: string;
  cues: number;
  /** Number of subtitles skipped because they end before they begin. */
  left: number;
}

/** Whether a file is SRT in UTF-16, whose first bytes resemble MP3. */
export const isUtf16Srt = (head: Uint8Array): boolean => looksLikeSrt(utf16Of(head) ?? '');

/**
 * Decodes SRT in legacy encodings: UTF-16, or Windows code pages.
 * @returns undefined if it isn't SRT
 */
export function oldSrt(bytes: Uint8Array): { text: string; encoding: string } | undefined {
  const marked = utf16Of(bytes);
  if (marked !== undefined) return looksLikeSrt(marked) ? { text: marked, encoding: 'UTF-16' } : undefined;
  // Times and numbers are the same in all other encodings.
  if (!looksLikeSrt(Buffer.from(bytes.subarray(0, SRT_HEAD_BYTES)).toString('latin1'))) return undefined;
  const encoding = encodingOf(bytes, (line) => !/^[\d\s:,.>-]*$/.test(line));
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

/** A WebVTT time line with commas in place of points. */
const COMMA_TIMES =
  /^((?:\d{2,}:)?\d{2}:\d{2}),(\d{3})([ \t]+-->[ \t]+)((?:\d{2,}:)?\d{2}:\d{2})[,.](\d{3})|^((?:\d{2,}:)?\d{2}:\d{2})\.(\d{3})([ \t]+-->[ \t]+)((?:\d{2,}:)?\d{2}:\d{2}),(\d{3})/gm;

/**
 * Replaces decimal commas in WebVTT times by points.
 * @returns also the number of subtitles and of corrected lines
 */
export function correctedVtt(text: string): { vtt: string; cues: number; corrected: number } {
  let corrected = 0;
  const vtt = text.replace(/\r\n?/g, '\n').replace(COMMA_TIMES, (line) => {
    corrected++;
    return line.replaceAll(',', '.');
  });
  const cues = vtt.match(/^(?:\d{2,}:)?\d{2}:\d{2}\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?\d{2}:\d{2}\.\d{3}/gm)?.length ?? 0;
  return { vtt, cues, corrected };
}

/** Whether a text starts like SRT: an optional number, then times. */
export function looksLikeSrt(text: string): boolean {
  const lines = text
    .slice(0, 4096)
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/^\ufeff/, '').trim())
    .filter((line) => line !== '');
  const times = /^\d{1,9}$/.test(lines[0] ?? '') ? lines[1] : lines[0];
  return times !== undefined && times.length < MAX_TIMES_LENGTH && TIMES.test(times);
}

/** @param parts hours, minutes, seconds and milliseconds as text @param line for the error */
function momentOf(
  [hours = '0', minutes = '0', seconds = '0', rest = '0']: (string | undefined)[],
  line: number,
): number {
  if (Number(minutes) > 59 || Number(seconds) > 59)
    throw damaged(`Line ${line}: minutes and seconds must be less than 60, as in 00:01:02,500.`);
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest.padEnd(3, '0'));
}

function* cuesIn(text: string): Generator<Cue> {
  let cue: Cue | undefined;
  let number = 0;
  for (const raw of text.split(/\r\n?|\n/)) {
    number++;
    const line = raw.replace(/^\ufeff/, '').trim();
    if (!line.includes('-->')) {
      if (line !== '') cue?.lines.push(line);
      continue;
    }
    const found = line.length < MAX_TIMES_LENGTH ? TIMES.exec(line) : null;
    // An arrow in spoken text isn't a time line.
    if (!found && cue && !/^[\d:,.\s]{1,40}-->\s{0,9}(?:[\d:,.]|$)/.test(line)) {
      cue.lines.push(line);
      continue;
    }
    if (!found) throw damaged(`Line ${number}: use times such as 00:00:01,000 --> 00:00:04,000.`);
    // The number before a time line was read as a line of the previous subtitle.
    if (cue && /^\d{1,9}$/.test(cue.lines.at(-1) ?? '')) cue.lines.pop();
    if (cue) yield cue;
    cue = { start: momentOf(found.slice(1, 5), number), end: momentOf(found.slice(5, 9), number), lines: [] };
  }
  if (cue) yield cue;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');
const timestampOf = (at: number) => {
  const seconds = Math.floor(at / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}.${String(at % 1000).padStart(3, '0')}`;
};

/** Cue settings for the position in `{\an8}`, numbered like a numeric keypad: 2 is bottom center. */
function settingsOf(place: number): string {
  const [column, row] = [(place - 1) % 3, Math.floor((place - 1) / 3)];
  const across = [' position:5% align:start', '', ' position:95% align:end'][column]!;
  return ['', ' line:50%', ' line:5%'][row]! + across;
}

const escaped = (text: string) =>
  text
    .replace(/&(?!(?:amp|lt|gt|nbsp|lrm|rlm);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Converts markup to WebVTT, closing every tag; fonts and colors are dropped, anything else is text. */
function marked(text: string): string {
  const open: string[] = [];
  let marks = '';
  for (const part of text.split(/(<\/?[a-z]{1,10}(?:\s[^<>\n]{0,200})?>)/i)) {
    const [, slash, name = ''] = /^<(\/?)([a-z]{1,10})(?:\s[^<>]*)?>$/i.exec(part) ?? [];
    const mark = name.toLowerCase();
    if (mark === 'font') continue;
    if (!['b', 'i', 'u'].includes(mark)) marks += escaped(part);
    else if (!slash && open.length < 16) {
      open.push(mark);
      marks += `<${mark}>`;
    } else if (slash && open.includes(mark)) {
      // Closes tags in reverse order, whatever the order in the file.
      while (open.length > 0) {
        const last = open.pop()!;
        marks += `</${last}>`;
        if (last === mark) break;
      }
    }
  }
  return (
    marks +
    open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  );
}

/** @returns the subtitle in WebVTT; empty if it has no text */
function written({ start, end, lines }: Cue): string {
  const text = lines
    .join('\n')
    .replace(/\{([biu])\}/gi, '<$1>')
    .replace(/\{\/([biu])\}/gi, '</$1>');
  const place = Number(/\{\\an([1-9])\}/.exec(text)?.[1] ?? 2);
  const words = marked(text.replace(/\{\\[^{}\n]{0,200}\}/g, ''))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
  return words === '' ? '' : `${timestampOf(start)} --> ${timestampOf(end)}${settingsOf(place)}\n${words}\n\n`;
}

/**
 * Converts SubRip subtitles (SRT) to WebVTT, the format browsers support.
 * @param text with any line breaks, with or without byte order mark
 * @throws ApiError bad_file naming the invalid line, or saying that there are no subtitles
 */
export function vttOfSrt(text: string): ConvertedSubtitles {
  if (text.length > MAX_BYTES) throw damaged(`Use subtitles of at most ${MAX_BYTES / 1024 / 1024} MB.`);
  const cues: Cue[] = [];
  let left = 0;
  for (const cue of cuesIn(text.replaceAll('\0', '\ufffd'))) {
    if (cue.end > cue.start) cues.push(cue);
    else left++;
    if (cues.length > MAX_CUES) throw damaged(`Use at most ${MAX_CUES} subtitles per file.`);
  }
  const parts = cues
    .toSorted((one, other) => one.start - other.start)
    .map(written)
    .filter((part) => part !== '');
  if (parts.length === 0)
    throw damaged(
      'The file contains no subtitles. Use times such as 00:00:01,000 --> 00:00:04,000, with texts below them.',
    );
  return { vtt: `WEBVTT\n\n${parts.join('')}`, cues: parts.length, left };
}
