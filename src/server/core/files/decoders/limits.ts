import { availableParallelism } from 'node:os';
import type { ApiError } from '../../../../contract/errors.ts';
import { damaged } from '../inspect/inspection.ts';
import type { DecoderJobs } from './decoder.ts';
import type { Requester, TurnLimits } from './turns.ts';

const MEGABYTE = 1024 * 1024;

/** Why a job was aborted: time or memory exceeded, or its process crashed. */
export type Spent = 'time' | 'memory' | 'crash';

/** Limits of a job, and its error when it exceeds them. */
export interface DecoderLimits {
  /** CPU time limit in seconds. */
  seconds: number;
  /** Wall-clock limit in seconds, including waits for a processor or disk. */
  patience: number;
  /** Whether pages wait for it: it takes precedence over uploads. */
  isCopy: boolean;
  /** Whether no one waits for it: it runs next to all others, one at a time. */
  isBackground?: boolean;
  refuse(spent: Spent): ApiError;
}

const TOO: Record<Spent, string> = {
  time: 'takes too long to decode',
  memory: 'takes too much memory to decode',
  crash: 'crashed its decoder',
};
const job = (seconds: number, patience: number, what: string, advice: string, isCopy = false): DecoderLimits => ({
  seconds,
  patience,
  isCopy,
  refuse: (spent) => damaged(`${what} ${TOO[spent]}; ${advice}.`),
});
const image = (seconds: number, isCopy = false) => job(seconds, seconds * 2, 'The image', 'send a smaller one', isCopy);

/** The limits of all jobs. */
export const DECODER_JOBS: { readonly [N in keyof DecoderJobs]: DecoderLimits } = {
  ping: image(5),
  detectKind: job(5, 50, 'The file', 'export it again'),
  measureImage: image(5),
  readEnvironment: job(20, 200, 'The environment', 'export it again'),
  readFont: job(10, 100, 'The font', 'use another one'),
  // Splats in it are converted.
  readModel: job(30, 300, 'The model', 'simplify it'),
  readPicture: image(60),
  readSplats: job(60, 600, 'The splat model', 'reduce its splats'),
  readSoundOrFilm: job(20, 200, 'The audio or video', 'export it again'),
  startsFast: { ...job(10, 100, 'The audio or video', 'export it again'), isBackground: true },
  readTexts: image(5),
  readText: job(10, 100, 'The text file', 'simplify it'),
  unpackArchive: job(60, 600, 'The archive', 'split it'),
  drawThumbnail: image(30, true),
  assemblePanorama: job(120, 600, 'The panorama', 'export a smaller one'),
  readManifest: job(10, 100, 'The manifest', 'split it'),
  readTour: job(10, 100, 'The tour', 'split it'),
  readTranslations: job(20, 200, 'The translations', 'split them'),
  readWorks: job(20, 200, 'The spreadsheet', 'split it'),
  cutTiles: image(60, true),
  drawPosterImages: image(30),
  drawTurntableImages: image(30),
  packSheet: { ...image(60), isBackground: true },
  lightenImage: { ...image(240), isBackground: true },
  lightenEnvironment: { ...job(120, 240, 'The environment', 'send a smaller one'), isBackground: true },
  lightenModel: { ...job(240, 480, 'The model', 'simplify it'), isBackground: true },
};

/** Memory limit of a decoder in bytes, by sender. */
export const DECODER_MEMORY: Readonly<Record<Requester['sender'], number>> = {
  visitor: 300 * MEGABYTE,
  user: 1024 * MEGABYTE,
};

/** Pixels from which an image is large: only one large image is decoded at a time. */
export const LARGE_PIXELS = 4_000_000;

/** At least three, so that a slow upload blocks neither pages nor other organizations. */
const DECODERS = Math.min(4, Math.max(3, availableParallelism() - 1));

export const DECODER_TURNS: TurnLimits = {
  all: DECODERS,
  uploads: DECODERS - 1,
  organization: DECODERS - 2,
  address: 1,
  waiting: { all: 200, organization: 100, address: 10 },
};
