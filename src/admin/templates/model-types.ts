import type { Template } from '../../../engine/document/template.ts';

/** What the kinds of shell are called. */
export const MODEL_TYPES: Record<Template['model_type'], string> = {
  grid: 'Grid',
  model: '3D model',
  pano: '360° photo',
};

/** What the marks on things that can be pressed are called. */
export const HOTSPOT_STYLES: Record<Template['hotspot_style'], string> = {
  dot: 'A dot',
  ring: 'A ring',
  off: 'No mark, no name',
};
