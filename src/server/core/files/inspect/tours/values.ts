import JSON5 from 'json5';
import { isRecord } from '../../../../../../engine/document/field-paths.ts';
import { refuseComplex, TooComplex } from '../../../read-json.ts';
import { damaged } from '../inspection.ts';

export type Json = Record<string, unknown>;

export const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A text or number as text; empty otherwise. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** A finite number, or a text that is one; undefined otherwise. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() !== '') return numberOf(Number(value));
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Memory in bytes that a configuration may take once parsed. */
const MEMORY = 200 * 1024 * 1024;

/**
 * Parses JSON, or JSON5 as people write it by hand: comments, trailing commas and single quotes.
 * @throws ApiError bad_file
 */
export function readConfigJson(text: string, path: string): unknown {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    // Strings in single quotes may miscount a little; the decoder's memory limit has the last word.
    refuseComplex(plain, { memory: MEMORY });
    try {
      return JSON.parse(plain);
    } catch {
      return JSON5.parse(plain);
    }
  } catch (error) {
    if (error instanceof TooComplex) throw damaged(`${path}: ${error.message}`);
    const { lineNumber } = error as { lineNumber?: number };
    throw damaged(`${path} is not valid JSON${lineNumber === undefined ? '' : ` (line ${lineNumber})`}.`);
  }
}

const RADIANS = Math.PI / 180;
export const degreesOf = (radians: number): number => radians / RADIANS;

/** Aspect ratio of the screen for which horizontal fields of view are converted. */
export const SCREEN = 16 / 9;

/** The vertical field of view for a horizontal one, at an aspect ratio. @returns degrees */
export const verticalFov = (horizontal: number, ratio: number): number =>
  degreesOf(2 * Math.atan(Math.tan((horizontal * RADIANS) / 2) / ratio));
