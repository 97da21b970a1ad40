import type { ElementType } from '../../../engine/document/constants.ts';

/** What each element type is for, in the order in which they are offered. */
export const DESCRIPTIONS: Record<ElementType, string> = {
  image: 'A picture on a plane, with title, author and date.',
  model: 'A 3D model from a GLTF, GLB or zip file.',
  text: 'Letters as solid bodies.',
  rich_text: 'Formatted text: headings, lists, links.',
  html: 'A piece of page, with a layout of its own.',
  button: 'A button that leads somewhere.',
  native_video: 'A film on a plane or on the meshes of a model.',
  video: 'A film in the player of Youtube or Vimeo, or an uploaded one.',
  live_stream: 'A live broadcast.',
  audio: 'Sound that comes from its place in the room.',
  iframe: 'Another page, by its address or from a zip.',
  view_point: 'A place to look from, with an entry in the menu.',
  light: 'A point, spot, directional, hemisphere or ambient light.',
  motion: 'A figure that is moved by motion capture.',
  group: 'Elements that move together, a slider, or a feed.',
};
