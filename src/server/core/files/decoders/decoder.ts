import { type PackedError, packError } from './packed-error.ts';

/** Decoder jobs. A job's dependencies are loaded when the first job of its kind arrives. */
const jobs = {
  ping: async () => () => true,
  // The library looks into archives, and so inflates untrusted input.
  detectKind: async () => (await import('../inspect/kind.ts')).kindOf,
  measureImage: async () => (await import('../inspect/image.ts')).measureImage,
  readEnvironment: async () => (await import('../inspect/hdr.ts')).inspectEnvironment,
  readFont: async () => (await import('../inspect/font.ts')).inspectFont,
  readModel: async () => (await import('../inspect/model.ts')).inspectModel,
  readPicture: async () => (await import('../inspect/image.ts')).inspectImage,
  readSoundOrFilm: async () => (await import('../inspect/sound-and-film.ts')).inspectSoundOrFilm,
  startsFast: async () => (await import('../inspect/metadata/iso-metadata.ts')).startsFast,
  readSplats: async () => (await import('../inspect/splats.ts')).inspectSplats,
  readTexts: async () => (await import('../inspect/metadata/media-texts.ts')).readTexts,
  readText: async () => (await import('../inspect/texts.ts')).inspectText,
  unpackArchive: async () => (await import('../inspect/zip.ts')).inspectZip,
  drawThumbnail: async () => (await import('../copies/draw-copies.ts')).drawThumbnail,
  drawPosterImages: async () => (await import('../copies/draw-poster.ts')).drawPosterImages,
  drawTurntableImages: async () => (await import('../copies/draw-poster.ts')).drawTurntableImages,
  assemblePanorama: async () => (await import('../inspect/tours/assemble.ts')).assemblePanorama,
  readManifest: async () => (await import('../inspect/iiif/read-manifest.ts')).readManifest,
  readTour: async () => (await import('../inspect/tours/read-tour.ts')).readTour,
  readTranslations: async () => (await import('../inspect/translations/read-translations.ts')).readTranslations,
  readWorks: async () => (await import('../inspect/sheets/read-works.ts')).readWorks,
  cutTiles: async () => (await import('../copies/draw-copies.ts')).cutTiles,
  packSheet: async () => (await import('../copies/pack-sheet.ts')).packSheet,
  lightenImage: async () => (await import('../copies/lighten-image.ts')).lightenImage,
  lightenEnvironment: async () => (await import('../copies/lighten-environment.ts')).lightenEnvironment,
  lightenModel: async () => (await import('../copies/lighten-model.ts')).lightenModel,
} satisfies Record<string, () => Promise<(input: never) => unknown>>;

/** The jobs by name: functions of one input to a result, both sent between processes. Files are passed as paths. */
export type DecoderJobs = { [N in keyof typeof jobs]: Awaited<ReturnType<(typeof jobs)[N]>> };

/** A job as sent to a decoder. */
export interface DecoderOrder {
  job: keyof DecoderJobs;
  input: unknown;
}

/** Messages of a decoder: started, job loaded, result or error. */
export type DecoderMessage = 'ready' | 'begun' | { result: unknown } | { error: PackedError };

const say = (message: DecoderMessage) => process.send!(message);

process.on('message', async ({ job, input }: DecoderOrder) => {
  try {
    const does = (await jobs[job]()) as (input: unknown) => unknown;
    say('begun');
    say({ result: await does(input) });
  } catch (error) {
    say({ error: packError(error) });
  }
});
// The server has exited. SIGKILL, because library threads that are computing would delay a regular exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
say('ready');
