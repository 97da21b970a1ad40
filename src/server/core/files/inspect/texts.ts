import { readFile, writeFile } from 'node:fs/promises';
import { readJson, TooComplex } from '../../read-json.ts';
import { damaged, type Inspection, unusable } from './inspection.ts';
import { correctedVtt, looksLikeSrt, oldSrt, vttOfSrt } from './subtitles.ts';

/** Maximum size of a text file in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Maximum memory of parsed JSON in bytes. */
const JSON_MEMORY = 128 * 1024 * 1024;

/** Accepted file types, in words. */
const TAKEN =
  'images (JPEG, PNG, WebP, AVIF, GIF, HEIC), models (GLB, glTF, or a ZIP of it), environments (HDR, EXR), audio (MP3, AAC, Ogg, WAV, FLAC), videos (MP4, WebM), fonts (TTF, OTF, WOFF, WOFF2), subtitles (VTT, SRT), motion (BVH), and zipped sites with an index.html';

/** Reads UTF-8 without its byte order mark; also subtitles in legacy encodings. */
async function readText(path: string): Promise<{ text: string; encoding?: string }> {
  const bytes = await readFile(path);
  if (bytes.length > MAX_BYTES) throw damaged('The text file is larger than 32 MB.');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const old = oldSrt(bytes);
    if (old) return old;
    throw unusable(`Unknown file type, or text that isn't encoded as UTF-8. Supported: ${TAKEN}.`);
  }
}

/** Converts SRT to WebVTT, next to the uploaded file. */
async function convertSrt(path: string, text: string, encoding: string | undefined): Promise<Inspection> {
  const { vtt, cues, left } = vttOfSrt(text);
  const converted = `${path}.vtt`;
  await writeFile(converted, vtt);
  const warnings = [
    ...(encoding
      ? [
          /^(?:UTF-16|windows-1252)$/.test(encoding)
            ? "The file wasn't encoded as UTF-8. Check its characters."
            : `The file wasn't encoded as UTF-8. It was decoded as ${encoding}. Check its characters.`,
        ]
      : []),
    ...(left > 0
      ? [
          `Skipped ${left} ${left === 1 ? 'subtitle that ends before it starts' : 'subtitles that end before they start'}.`,
        ]
      : []),
  ];
  const details = { cues, ...(warnings.length > 0 && { warnings }) };
  return { type: 'text_track', mime: 'text/vtt', extension: 'vtt', details, instead: { path: converted } };
}

/** Reads WebVTT, and corrects times with decimal commas, which browsers reject. */
async function inspectVtt(path: string, text: string): Promise<Inspection> {
  const { vtt, cues, corrected } = correctedVtt(text);
  const warnings = [
    ...(corrected > 0
      ? [`Corrected ${corrected} ${corrected === 1 ? 'time' : 'times'} with a comma instead of a point.`]
      : []),
    ...(cues === 0
      ? ['The file contains no subtitles. Use times such as 00:00:01.000 --> 00:00:04.000, with texts below them.']
      : []),
  ];
  const found: Inspection = {
    type: 'text_track',
    mime: 'text/vtt',
    extension: 'vtt',
    details: { cues, ...(warnings.length > 0 && { warnings }) },
  };
  if (corrected === 0) return found;
  const converted = `${path}.vtt`;
  await writeFile(converted, vtt);
  return { ...found, instead: { path: converted } };
}

function inspectBvh(text: string): Inspection {
  const frames = Number(/^[ \t]*Frames:[ \t]*(\d+)/m.exec(text)?.[1]);
  const step = Number(/^[ \t]*Frame Time:[ \t]*([\d.]+(?:e[+-]?\d+)?)/im.exec(text)?.[1]);
  if (!/^[ \t]*MOTION[ \t]*$/m.test(text) || !(frames > 0) || !(step > 0)) throw damaged('The BVH file has no frames.');
  const joints = text.match(/^[ \t]*(?:ROOT|JOINT)\s/gm)?.length ?? 0;
  return { type: 'motion', mime: 'text/plain', extension: 'bvh', duration: frames * step, details: { frames, joints } };
}

function inspectJson(text: string): Inspection | 'gltf' {
  let value: unknown;
  try {
    value = readJson(text, { memory: JSON_MEMORY });
  } catch (error) {
    throw damaged(error instanceof TooComplex ? error.message : "The file looks like JSON but can't be parsed.");
  }
  const { asset, glyphs, resolution } = (value ?? {}) as Record<string, unknown>;
  if (typeof asset === 'object' && asset !== null) return 'gltf';
  if (typeof glyphs === 'object' && glyphs !== null && typeof resolution === 'number')
    return {
      type: 'font',
      mime: 'application/json',
      extension: 'json',
      details: { glyphs: Object.keys(glyphs).length },
    };
  throw unusable('This JSON is neither a glTF model nor a typeface font.');
}

/**
 * Detects the type of a text file: subtitles, motion capture, a typeface font, or a GLTF model that needs further
 * inspection.
 * @param file with its upload name, only for error messages
 */
export async function inspectText({ path, name }: { path: string; name: string }): Promise<Inspection | 'gltf'> {
  const { text, encoding } = await readText(path);
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return inspectVtt(path, text);
  if (encoding || looksLikeSrt(text) || /\.srt$/i.test(name)) return convertSrt(path, text, encoding);
  if (/\.vtt$/i.test(name)) throw damaged("The subtitle file doesn't start with the line WEBVTT.");
  if (/^\s*HIERARCHY\s/.test(text)) return inspectBvh(text);
  if (/^\s*\{/.test(text)) return inspectJson(text);
  if (/<svg[\s>]/i.test(text.slice(0, 4096)))
    throw unusable('SVG images can contain scripts. Export the image as PNG or WebP.');
  if (/\.csv$/i.test(name)) throw unusable('This is a list of access tokens. Import it at its structure instead.');
  const what = /^\s*<(?:!doctype html|html|head|body)\b/i.test(text)
    ? 'This is an HTML page'
    : "This file type isn't supported";
  throw unusable(`${what}. Supported: ${TAKEN}.`);
}
