import {
  type Gallery,
  galleryCommands,
  galleryIds,
  planGallery,
} from '../../../../engine/document/arrangements/gallery.ts';
import {
  HANG_DEFAULTS,
  type Hanging,
  type HangingOptions,
  type NewWork,
  planHanging,
  UNITS_PER_CENTIMETER,
  workSizes,
} from '../../../../engine/document/arrangements/hang.ts';
import { CAMERA_DEFAULTS } from '../../../../engine/document/constants.ts';
import { type Element, flatElementSchema } from '../../../../engine/document/element.ts';
import { parseTranslations } from '../../../../engine/document/text-translations.ts';
import { captionOf, captionTranslations, settingsOfFile } from '../../../contract/entities.ts';
import { asSent } from '../../../contract/hanging.ts';
import { asFileReference, type MediaRow, textsOf } from '../media/queries.ts';

/** Height of the walls in centimeters. */
const WALL_HEIGHT = 400;
/** Ratio of the farthest visible distance to the length of the building. */
const FAR = 1.5;
/** Side of a sign for audio in units. */
const AUDIO_SIZE = 60;

/** Layouts and heights of works in centimeters, until all works fit into a building. */
const ATTEMPTS: readonly Pick<HangingOptions, 'layout' | 'sizing'>[] = [
  { layout: 'row', sizing: { height: HANG_DEFAULTS.height } },
  { layout: 'rows', sizing: { height: HANG_DEFAULTS.height } },
  { layout: 'rows', sizing: { height: 40 } },
  { layout: 'rows', sizing: { height: 25 } },
];

const textsWith = (row: MediaRow) => ({ ...textsOf(row), translations: parseTranslations(row.translations) });

/** A file as a work to hang, with the texts of its caption. */
function workOf(row: MediaRow): NewWork {
  const texts = textsWith(row);
  const { title = '', author = '', date = '', text = '', alt, long_description } = captionOf(texts);
  const translations = captionTranslations(texts.translations, (path) =>
    /\.(?:title|text|alt|long_description)$/.test(path),
  );
  return {
    ...{ file: asFileReference(row), title, author, date, text, width: null, height: null },
    ...(alt && { alt }),
    ...(long_description && { long_description }),
    ...(Object.keys(translations).length > 0 && { translations }),
  };
}

/** Settings of a video or audio: its title as alternative text, and its description as the detailed one. */
function playedSettings(row: MediaRow): Record<string, unknown> {
  const { title, description, alt, long_description } = textsOf(row);
  const own = settingsOfFile(textsWith(row), ['transcript']);
  return {
    ...own,
    file_url: asFileReference(row).url,
    alt: alt || title,
    long_description: long_description || description,
  };
}

/** A video in place of the image element with its size. */
function videoOf(row: MediaRow, { width, height, name }: Element): Element {
  const config = { ...playedSettings(row), controls: true };
  return flatElementSchema.parse({
    ...{ id: 1, element: 'native_video', name, file_id: row.id, file: asFileReference(row), width, height, config },
  }) as Element;
}

/** A building with all works on its walls, as far as they fit. @param attempt rank of the layout */
function plan(works: readonly NewWork[], attempt = 0): { gallery: Gallery; hanging: Hanging } {
  const options: HangingOptions = {
    ...{ ...ATTEMPTS[attempt]!, align: 'center' },
    line: HANG_DEFAULTS.line * UNITS_PER_CENTIMETER,
    gap: HANG_DEFAULTS.gap * UNITS_PER_CENTIMETER,
  };
  const gallery = planGallery(workSizes(works, options, null), WALL_HEIGHT, options);
  if (!gallery.isWhole && attempt < ATTEMPTS.length - 1) return plan(works, attempt + 1);
  const room = { height: gallery.height, elements: [], template: null };
  return { gallery, hanging: planHanging(room, gallery.walls, works, options) };
}

/** A gallery to create. */
export interface GalleryPlan {
  gallery: Gallery;
  hung: number;
  /** Titles of works that fit on no wall. */
  left: string[];
  /** The document of the space, in the format of imports. */
  document(settings: {
    name: string;
    templateId: number;
    language: string | null;
    languages: readonly string[];
  }): Record<string, unknown>;
}

/** Plans a gallery: images and videos on walls, audio where visitors start. */
export function planWorks(rows: readonly MediaRow[]): GalleryPlan {
  const shown = rows.filter(({ type }) => type !== 'audio');
  const heard = rows.filter(({ type }) => type === 'audio');
  const { gallery, hanging } = plan(shown.map(workOf));
  const elements = hanging.elements.map((element, nth) =>
    shown[nth]!.type === 'video' ? videoOf(shown[nth]!, element) : element,
  );
  const left = hanging.hung.flatMap((place, nth) => (place ? [] : [shown[nth]!.title || shown[nth]!.name]));
  const { width, height, depth, start } = gallery;
  return {
    gallery,
    hung: rows.length - left.length,
    left,
    document: ({ name, templateId, language, languages }) => {
      const count = galleryIds(gallery, hanging);
      const ids = Array.from({ length: count }, (_, nth) => nth + 1);
      const commands = galleryCommands(gallery, { ...hanging, elements }, ids).map(asSent);
      const others = languages.filter((each) => each !== language);
      return {
        ...{ name, title: name, template_id: templateId, width, height, depth },
        config: {
          camera: { ...start, far: Math.max(CAMERA_DEFAULTS.far, Math.ceil(depth * FAR)) },
          ...(language && { language }),
          ...(others.length > 0 && { languages: others }),
        },
        elements: [
          ...commands.flatMap((command) => (command.type === 'element.add' ? [command.element] : [])),
          ...heard.map((row, nth) => ({
            ...{ id: count + nth + 1, element: 'audio', name: row.title || row.name, file_id: row.id },
            ...{ width: AUDIO_SIZE, height: AUDIO_SIZE },
            position_y: Math.round(start.position.y),
            position_z: Math.round(start.position.z),
            config: playedSettings(row),
          })),
        ],
      };
    },
  };
}
