import { z } from 'zod';
import { ELEMENT_TYPES, type ElementType } from './constants.ts';
import type { Capabilities } from './element-base.ts';
import { audioCapabilities, audioElement } from './elements/audio.ts';
import { buttonCapabilities, buttonElement } from './elements/button.ts';
import { groupCapabilities, groupElement } from './elements/group.ts';
import { htmlCapabilities, htmlElement } from './elements/html.ts';
import { iframeCapabilities, iframeElement } from './elements/iframe.ts';
import { imageCapabilities, imageElement } from './elements/image.ts';
import { lightCapabilities, lightElement } from './elements/light.ts';
import { liveStreamCapabilities, liveStreamElement } from './elements/live-stream.ts';
import { modelCapabilities, modelElement } from './elements/model.ts';
import { motionCapabilities, motionElement } from './elements/motion.ts';
import { nativeVideoCapabilities, nativeVideoElement } from './elements/native-video.ts';
import { richTextCapabilities, richTextElement } from './elements/rich-text.ts';
import { textCapabilities, textElement } from './elements/text.ts';
import { videoCapabilities, videoElement } from './elements/video.ts';
import { viewPointCapabilities, viewPointElement } from './elements/view-point.ts';

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

/** One element without its children: what the element calls of the API carry and what a row stores. */
export const flatElementSchema = z.discriminatedUnion('element', members, typeError);
export type FlatElement = z.output<typeof flatElementSchema>;

/** An element with its children, in order. */
export type Element = FlatElement & { children: Element[] };
/** The element of one type. */
export type ElementOf<T extends ElementType> = Extract<FlatElement, { element: T }> & { children: Element[] };

const children = z
  .array(z.lazy((): z.ZodType<Element> => elementSchema))
  .default([])
  .describe('Elements that belong to this one, in order.');
const [first, ...others] = members.map((member) => member.extend({ children }));

/** An element with its children. */
export const elementSchema = z.discriminatedUnion(
  'element',
  [first!, ...others],
  typeError,
) as unknown as z.ZodType<Element>;

/** What each element type can do. */
export const capabilities: Record<ElementType, Capabilities> = {
  audio: audioCapabilities,
  button: buttonCapabilities,
  group: groupCapabilities,
  html: htmlCapabilities,
  iframe: iframeCapabilities,
  image: imageCapabilities,
  light: lightCapabilities,
  live_stream: liveStreamCapabilities,
  model: modelCapabilities,
  motion: motionCapabilities,
  native_video: nativeVideoCapabilities,
  rich_text: richTextCapabilities,
  text: textCapabilities,
  video: videoCapabilities,
  view_point: viewPointCapabilities,
};
