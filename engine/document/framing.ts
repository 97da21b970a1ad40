import { FRAMING } from './constants.ts';
import type { Template } from './template.ts';

/** The frame, mat and shadow of an image; lengths in units. */
export type Framing = Pick<Template['config'], keyof typeof FRAMING>;

/** Settings of an image; null for those of the template. Documents of earlier versions have none. */
type OwnFraming = { readonly [K in keyof Framing]?: Framing[K] | null };

/** A template, as far as it frames images. */
export type FramingTemplate = { readonly config: Partial<Framing> } | null;

/** How an image is framed: by its own settings, and by its template's where they are null. */
export function framingOf(config: OwnFraming, template: FramingTemplate): Framing {
  const own = <K extends keyof Framing>(name: K): Framing[K] => config[name] ?? template?.config[name] ?? FRAMING[name];
  return {
    frame_width: own('frame_width'),
    frame_depth: own('frame_depth'),
    frame_color: own('frame_color'),
    mat_width: own('mat_width'),
    mat_color: own('mat_color'),
    contact_shadow: own('contact_shadow'),
  };
}

/** Distance in units from the edge of an image to the outer edge of its frame. Without a frame, there is no mat. */
export const borderOf = ({ frame_width, mat_width }: Framing): number => frame_width && frame_width + mat_width;
