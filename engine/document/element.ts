import { z } from 'zod';
import type { ElementDescriptor } from './element-type.ts';
import { audioDescriptor, audioElement } from './elements/audio.ts';
import { buttonDescriptor, buttonElement } from './elements/button.ts';
import { groupDescriptor, groupElement } from './elements/group.ts';
import { htmlDescriptor, htmlElement } from './elements/html.ts';
import { iframeDescriptor, iframeElement } from './elements/iframe.ts';
import { imageDescriptor, imageElement } from './elements/image.ts';
import { lightDescriptor, lightElement } from './elements/light.ts';
import { liveStreamDescriptor, liveStreamElement } from './elements/live-stream.ts';
import { modelDescriptor, modelElement } from './elements/model.ts';
import { motionDescriptor, motionElement } from './elements/motion.ts';
import { nativeVideoDescriptor, nativeVideoElement } from './elements/native-video.ts';
import { richTextDescriptor, richTextElement } from './elements/rich-text.ts';
import { textDescriptor, textElement } from './elements/text.ts';
import { videoDescriptor, videoElement } from './elements/video.ts';
import { viewPointDescriptor, viewPointElement } from './elements/view-point.ts';

const members = [
  audioElement,
  buttonElement,
  groupElement,
  htmlElement,
  iframeElement,
  imageElement,
  lightElement,
  liveStreamElement,
  modelElement,
  motionElement,
  nativeVideoElement,
  richTextElement,
  textElement,
  videoElement,
  viewPointElement,
] as const;

/** Error message for an unknown element type. */
export const unknownTypeMessage = (type: unknown): string =>
  `Unknown element type ${JSON.stringify(String(type).slice(0, 64))}. Use one of ${ELEMENT_TYPES.join(', ')}.`;

/** Error for an element of unknown type; its fields have their own errors. */
const typeError = {
  error: ({ input }: { input?: unknown }) =>
    typeof input === 'object' && input !== null
      ? 'element' in input
        ? unknownTypeMessage(input.element)
        : `The element type is missing; the types are ${ELEMENT_TYPES.join(', ')}.`
      : undefined,
};

/** One element: a record of a room. */
export const flatElementSchema = z.discriminatedUnion('element', members, typeError);
type Fields = z.output<typeof flatElementSchema>;
/** One element of a room. The type excludes nested elements, which have `children`. */
export type Element = Fields & { children?: never };
export type ElementType = Element['element'];

/** Descriptors by element type, in the order of the editor's menu. */
export const descriptors: Record<ElementType, ElementDescriptor> = {
  image: imageDescriptor,
  model: modelDescriptor,
  text: textDescriptor,
  rich_text: richTextDescriptor,
  html: htmlDescriptor,
  button: buttonDescriptor,
  native_video: nativeVideoDescriptor,
  video: videoDescriptor,
  live_stream: liveStreamDescriptor,
  audio: audioDescriptor,
  iframe: iframeDescriptor,
  view_point: viewPointDescriptor,
  light: lightDescriptor,
  motion: motionDescriptor,
  group: groupDescriptor,
};

/** The descriptor of an element's type. */
export const descriptorOf = ({ element }: { element: ElementType }): ElementDescriptor<Element> => descriptors[element];

/** Element type names. */
export const ELEMENT_TYPES = members.map(({ shape }) => shape.element.value);

export type ElementOf<T extends ElementType> = Extract<Element, { element: T }>;

/** An element with its ordered children, as in files and API calls. */
export type NestedElement = Fields & { children: NestedElement[] };

const children = z
  .array(z.lazy((): z.ZodType<NestedElement> => elementSchema))
  .default([])
  .describe('Child elements, in order.');
const [first, ...others] = members.map((member) => member.extend({ children }));

export const elementSchema = z.discriminatedUnion(
  'element',
  [first!, ...others],
  typeError,
) as z.ZodType<NestedElement>;
