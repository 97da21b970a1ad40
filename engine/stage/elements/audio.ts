import { Object3D } from 'three';
import type { ElementOf } from '../../document/element.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing } from '../context.ts';
import { playElement } from '../media/element-player.ts';
import { latePlayer } from '../media/late-player.ts';
import { followScene } from '../media/player.ts';
import { attachSource } from '../media/source.ts';
import { reportTrouble } from '../media/trouble.ts';
import { preloadOf } from '../resources/device.ts';

/** Audio; draws nothing. */
export const draw: ElementDrawing<ElementOf<'audio'>> = async (context, element, entity) => {
  const { autoplay, loop } = element.config;
  const url = sourceOf(element);
  if (!url) throw new Error('The audio has no file.');
  const audio = new Audio();
  audio.preload = preloadOf(autoplay ? 'auto' : 'metadata');
  audio.loop = loop;
  audio.dataset.media = String(element.id);
  // In the page, so that media keys and browser tools find it.
  context.container.append(audio);
  const fail = (reason: unknown) => context.fail(reason, element.id);
  const report = reportTrouble(context, element.id);
  const player = latePlayer(playElement(context, element.id, audio), () => attachSource(audio, url, report), fail);
  return {
    object: new Object3D(),
    ...followScene(context, entity, player),
    near: player.near,
    far: player.far,
    dispose: () => player.dispose(),
  };
};
