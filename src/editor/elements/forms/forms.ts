import type { ElementType } from '../../../../engine/document/constants.ts';
import { audioForm } from './audio.tsx';
import { buttonForm } from './button.tsx';
import type { ElementForm } from './form.ts';
import { groupForm } from './group.tsx';
import { htmlForm } from './html.tsx';
import { iframeForm } from './iframe.tsx';
import { imageForm } from './image.tsx';
import { lightForm } from './light.tsx';
import { liveStreamForm } from './live-stream.tsx';
import { modelForm } from './model.tsx';
import { motionForm } from './motion.tsx';
import { nativeVideoForm } from './native-video.tsx';
import { richTextForm } from './rich-text.tsx';
import { textForm } from './text.tsx';
import { videoForm } from './video.tsx';
import { viewPointForm } from './view-point.tsx';

/** The form of each element type. */
export const FORMS: Record<ElementType, ElementForm> = {
  audio: audioForm,
  button: buttonForm,
  group: groupForm,
  html: htmlForm,
  iframe: iframeForm,
  image: imageForm,
  light: lightForm,
  live_stream: liveStreamForm,
  model: modelForm,
  motion: motionForm,
  native_video: nativeVideoForm,
  rich_text: richTextForm,
  text: textForm,
  video: videoForm,
  view_point: viewPointForm,
};
