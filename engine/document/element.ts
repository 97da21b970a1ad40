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

/** What is said of an element of a type that there is not. */
export const noSuchType = (type: unknown): string =>
  `There is no element type ${JSON.stringify(String(type).slice(0, 64))}; the types are ${ELEMENT_TYPES.join(', ')}.`;

/** The error of an element whose type is none; those of its fields have their own. */
const typeError = {
  error: ({ input }: { input?: unknown }) =>
    typeof input === 'object' && input !== null && 'element' in input ? noSuchType(input.element) : undefined,
};

/** One element: a record of a room. */
export const flatElementSchema = z.discriminatedUnion('element', members, typeError);
type Fields = z.output<typeof flatElementSchema>;
/** One element of a room. Its type keeps trees out: those have `children`. */
export type Element = Fields & { children?: never };
export type ElementType = Element['element'];

/** What each element type is, in the order in which an editor offers them. */
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

/** What is known of an element's type, whichever it is. */
export const descriptorOf = ({ element }: { element: ElementType }): ElementDescriptor<Element> => descriptors[element];

/** The element types by name. */
export const ELEMENT_TYPES = members.map(({ shape }) => shape.element.value);

/** The element of one type. */
export type ElementOf<T extends ElementType> = Extract<Element, { element: T }>;

/** An element with its children, in order: as files and calls carry it. */
export type NestedElement = Fields & { children: NestedElement[] };

const children = z
  .array(z.lazy((): z.ZodType<NestedElement> => elementSchema))
  .default([])
  .describe('Elements that belong to this one, in order.');
const [first, ...others] = members.map((member) => member.extend({ children }));

/** An element with its children. */
export const elementSchema = z.discriminatedUnion(
  'element',
  [first!, ...others],
  typeError,
) as z.ZodType<NestedElement>;
