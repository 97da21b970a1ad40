import type { ElementType } from '../document/constants.ts';
import type { ElementDrawing } from './context.ts';

type Load = () => Promise<ElementDrawing<never>>;

/**
 * How each element type is drawn, loaded when the first element of the type appears. Types without an entry draw nothing.
 */
const drawings: Partial<Record<ElementType, Load>> = {
  audio: async () => (await import('./elements/audio.ts')).drawAudio,
  button: async () => (await import('./elements/button.ts')).drawButton,
  group: async () => (await import('./elements/group.ts')).drawGroup,
  html: async () => (await import('./elements/html.ts')).drawHtml,
  iframe: async () => (await import('./elements/iframe.ts')).drawIframe,
  image: async () => (await import('./elements/image.ts')).drawImage,
  light: async () => (await import('./elements/light.ts')).drawLight,
  live_stream: async () => (await import('./elements/live-stream.ts')).drawLiveStream,
  model: async () => (await import('./elements/model.ts')).drawModelElement,
  motion: async () => (await import('./elements/motion.ts')).drawMotion,
  native_video: async () => (await import('./elements/native-video.ts')).drawNativeVideo,
  rich_text: async () => (await import('./elements/rich-text.ts')).drawRichText,
  text: async () => (await import('./elements/text.ts')).drawText,
  video: async () => (await import('./elements/video.ts')).drawVideo,
  view_point: async () => (await import('./elements/view-point.ts')).drawViewPoint,
};

/** The drawing of an element type; undefined when the type draws nothing. */
export async function drawingOf(type: ElementType): Promise<ElementDrawing | undefined> {
  return (await drawings[type]?.()) as ElementDrawing | undefined;
}
