import {
  type Icon,
  IconAlignLeft,
  IconBrandYoutube,
  IconBroadcast,
  IconBulb,
  IconCube,
  IconEyeCheck,
  IconFolder,
  IconHandClick,
  IconHtml,
  IconLetterT,
  IconPhoto,
  IconRun,
  IconVideo,
  IconVolume,
  IconWorldWww,
} from '@tabler/icons-react';
import type { ElementType } from '../../../engine/document/constants.ts';

/** The picture of each element type. */
export const ELEMENT_ICONS: Record<ElementType, Icon> = {
  audio: IconVolume,
  button: IconHandClick,
  group: IconFolder,
  html: IconHtml,
  iframe: IconWorldWww,
  image: IconPhoto,
  light: IconBulb,
  live_stream: IconBroadcast,
  model: IconCube,
  motion: IconRun,
  native_video: IconVideo,
  rich_text: IconAlignLeft,
  text: IconLetterT,
  video: IconBrandYoutube,
  view_point: IconEyeCheck,
};
