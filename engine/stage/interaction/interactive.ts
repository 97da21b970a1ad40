import type { Element } from '../../document/element.ts';
import { traitsOf } from '../../document/traits-of.ts';
import type { Scene } from '../../scene/scene.ts';
import type { ElementViews } from '../element-views.ts';
import type { StageOptions } from '../stage-options.ts';
import type { PointerTargets } from './pointer.ts';

/** Whether something else is behind an element only where the element is looked past. */
const standsInFront = ({ element }: Element): boolean => traitsOf(element).hit !== 'through';

function leads({ config }: Element): boolean {
  const { navigation } = config as { navigation?: { type: string } };
  return navigation !== undefined && navigation.type !== 'disabled';
}

/** The slider's group that an element belongs to; undefined without one. */
function sliderOf(scene: Scene, element: Element | undefined): Element | undefined {
  for (let at = element; at; ) {
    if ((at.config as { slider_enabled?: boolean }).slider_enabled) return at;
    const parent = at.parent_element_id === null ? undefined : scene.entityOf(at.parent_element_id);
    at = parent === undefined ? undefined : scene.elementOf(parent);
  }
  return undefined;
}

/** Settings that say whether something takes presses; each type has some of them. */
interface PressConfig {
  fullscreen?: boolean;
  controls?: boolean;
  autoplay?: boolean;
  timed?: boolean;
  proximity_sensor?: boolean;
  pulse_radius?: number;
}

/** Whether an element takes presses by its own settings, without a link. */
function takesPress({ element, config }: Element): boolean {
  const { fullscreen, controls, autoplay, timed, proximity_sensor, pulse_radius = 0 } = config as PressConfig;
  switch (traitsOf(element).press) {
    case 'play':
      // It opens, has controls, or would never begin without a press.
      return Boolean(fullscreen || controls || !(autoplay || timed || proximity_sensor));
    case 'open':
      return Boolean(fullscreen);
    case 'go':
      return pulse_radius > 0;
    default:
      return false;
  }
}

/** Whether pressing an element does something, so that it stands out under the pointer. */
function isInteractive(scene: Scene, element: Element): boolean {
  return (
    traitsOf(element.element).hit === 'page' ||
    leads(element) ||
    takesPress(element) ||
    sliderOf(scene, element) !== undefined
  );
}

/**
 * Whether pressing an element does something that nothing in it does by itself: it needs a button for those who have no
 * pointer. Buttons, framed pages and players of the page take keys themselves.
 */
export function needsButton(scene: Scene, element: Element): boolean {
  const { press } = traitsOf(element.element);
  if (takesPress(element)) return true;
  if (press === 'own' || press === 'open' || !standsInFront(element)) return false;
  return leads(element) || sliderOf(scene, element) !== undefined;
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
    interactive: () => views.objects((element) => isInteractive(scene, element)),
    occluders: () => views.objects(standsInFront),
    pressed: (id) => {
      const pressed = pressedOf(scene, id);
      if (pressed) handlers?.pressed?.(pressed.element, pressed.inside);
    },
  };
}
