import type { Element } from '../../document/element.ts';
import type { Scene } from '../../scene/scene.ts';
import type { ElementViews } from '../element-views.ts';
import type { StageOptions } from '../stage-options.ts';
import type { PointerTargets } from './pointer.ts';

/** Drawn by the page: the pointer goes to what stands in it. */
const PAGES: ReadonlySet<string> = new Set(['html', 'rich_text', 'button', 'iframe', 'video', 'live_stream']);
const LOOKED_THROUGH: ReadonlySet<string> = new Set(['light', 'view_point', 'group', 'audio']);

/** Whether something else is behind an element only where the element is looked past. */
const standsInFront = ({ element }: Element): boolean => !LOOKED_THROUGH.has(element);

function leads({ config }: Element): boolean {
  const { navigation } = config as { navigation?: { type: string } };
  return navigation !== undefined && navigation.type !== 'disabled';
}

/** The slider's group that an element belongs to; undefined without one. */
function sliderOf(scene: Scene, element: Element | undefined): Element | undefined {
  for (let at = element; at; ) {
    if (at.element === 'group' && at.config.slider_enabled) return at;
    const parent = at.parent_element_id === null ? undefined : scene.entityOf(at.parent_element_id);
    at = parent === undefined ? undefined : scene.elementOf(parent);
  }
  return undefined;
}

/** Whether a video in the room takes presses: it opens, has controls, or would never begin without one. */
function plays(element: Element): boolean {
  if (element.element !== 'native_video') return false;
  const { fullscreen, controls, autoplay, timed, proximity_sensor } = element.config;
  return fullscreen || controls || !(autoplay || timed || proximity_sensor);
}

/** Whether pressing an element does something, so that it stands out under the pointer. */
function isPressable(scene: Scene, element: Element): boolean {
  if (element.element === 'view_point' || PAGES.has(element.element)) return true;
  return leads(element) || plays(element) || sliderOf(scene, element) !== undefined;
}

/**
 * Whether pressing an element does something that nothing in it does by itself: it needs a button for those who have no
 * pointer. Buttons, framed pages and players of the page take keys themselves.
 */
export function needsButton(scene: Scene, element: Element): boolean {
  if (element.element === 'view_point') return element.config.pulse_radius > 0;
  if (element.element === 'button' || !standsInFront(element)) return false;
  if (element.element === 'video' || element.element === 'live_stream') return element.config.fullscreen;
  return leads(element) || plays(element) || sliderOf(scene, element) !== undefined;
}

/**
 * What a press on an element means: the element itself where it has a link of its own, otherwise the slider that holds
 * it.
 * @returns the element, and what was pressed inside it where it is a slider's group; undefined for nobody's
 */
function pressedOf(scene: Scene, elementId: number): { element: Element; inside?: Element } | undefined {
  const entity = scene.entityOf(elementId);
  const element = entity === undefined ? undefined : scene.elementOf(entity);
  if (!element) return undefined;
  const { navigation } = element.config as { navigation?: { type: string } };
  const slider = leads(element) && navigation!.type !== 'slider' ? undefined : sliderOf(scene, element);
  return slider ? { element: slider, inside: element } : { element };
}

/** What visitors may press in a room, and who hears of it. */
export function targetsIn(views: ElementViews, { scene, handlers }: StageOptions): PointerTargets {
  return {
    pressable: () => views.objects((element) => isPressable(scene, element)),
    occluders: () => views.objects(standsInFront),
    pressed: (id) => {
      const pressed = pressedOf(scene, id);
      if (pressed) handlers?.pressed?.(pressed.element, pressed.inside);
    },
  };
}
