import type { Element } from '../../document/element.ts';
import { traitsOf } from '../../document/traits-of.ts';
import type { Scene } from '../../scene/scene.ts';
import type { ElementViews } from '../element-views.ts';
import type { StageOptions } from '../stage-options.ts';
import type { PointerTargets } from './pointer.ts';

/** Whether an element blocks the ray to elements behind it. */
const standsInFront = ({ element }: Element): boolean => traitsOf(element).hit !== 'through';

function leads({ config }: Element): boolean {
  const { navigation } = config as { navigation?: { type: string } };
  return navigation !== undefined && navigation.type !== 'disabled';
}

/** The slider group that contains an element; undefined if there is none. */
function sliderOf(scene: Scene, element: Element | undefined): Element | undefined {
  for (let at = element; at; ) {
    if ((at.config as { slider_enabled?: boolean }).slider_enabled) return at;
    const parent = at.parent_element_id === null ? undefined : scene.entityOf(at.parent_element_id);
    at = parent === undefined ? undefined : scene.elementOf(parent);
  }
  return undefined;
}

/** Settings that make elements interactive; each type has a subset. */
interface PressConfig {
  fullscreen?: boolean;
  controls?: boolean;
  autoplay?: boolean;
  timed?: boolean;
  proximity_sensor?: boolean;
  pulse_radius?: number;
  zoomable?: boolean;
  decorative?: boolean;
}

/** Whether an element is interactive by its own settings, without a link. */
function takesPress({ element, config }: Element): boolean {
  const {
    fullscreen,
    controls,
    autoplay,
    timed,
    proximity_sensor,
    pulse_radius = 0,
    zoomable,
    decorative,
  } = config as PressConfig;
  switch (traitsOf(element).press) {
    case 'play':
      // It opens full page, has controls, or needs a click to start.
      return Boolean(fullscreen || controls || !(autoplay || timed || proximity_sensor));
    case 'open':
      return Boolean(fullscreen);
    case 'go':
      return pulse_radius > 0;
    case 'look':
      return Boolean(zoomable && !decorative);
    default:
      return false;
  }
}

/** Whether pressing an element itself has an effect: it has a link, plays, opens or can be looked at closer. */
export const answersPress = (element: Element): boolean => leads(element) || takesPress(element);

/** Whether an element is drawn as a hotspot, without a page. */
const isHotspot = ({ config }: Element): boolean => (config as { appearance?: string }).appearance === 'hotspot';

/** Whether a press only shows an element up close. */
export const onlyLooks = (scene: Scene, element: Element): boolean =>
  traitsOf(element.element).press === 'look' && !leads(element) && sliderOf(scene, element) === undefined;

/** Whether clicking an element has an effect, so that it is highlighted under the pointer. */
function isInteractive(scene: Scene, element: Element): boolean {
  return (
    (traitsOf(element.element).hit === 'page' && !isHotspot(element)) ||
    answersPress(element) ||
    sliderOf(scene, element) !== undefined
  );
}

/**
 * Whether an element needs a button for keyboard and screen reader users. Buttons, iframes and DOM players are
 * focusable themselves.
 */
export function needsButton(scene: Scene, element: Element): boolean {
  const { press } = traitsOf(element.element);
  if (takesPress(element)) return true;
  if (isHotspot(element)) return leads(element);
  if (press === 'own' || press === 'open' || !standsInFront(element)) return false;
  return leads(element) || sliderOf(scene, element) !== undefined;
}

/** Whether an element is all around the visitor. */
const isAround = ({ config }: Element): boolean => (config as { projection?: string }).projection === 'equirectangular';

/**
 * Whether an element gets a hotspot. Images that can be looked at closer don't: a wall of dots would cover the pictures.
 * 360° videos don't: they have no corner.
 */
export const needsHotspot = (scene: Scene, element: Element): boolean =>
  needsButton(scene, element) && !onlyLooks(scene, element) && !isHotspot(element) && !isAround(element);

/**
 * Resolves a click on an element: the element itself if it has its own link, otherwise the slider that contains it.
 * @returns the element, and for a slider group the clicked element inside; undefined if the element doesn't exist
 */
function pressedOf(scene: Scene, elementId: number): { element: Element; inside?: Element } | undefined {
  const entity = scene.entityOf(elementId);
  const element = entity === undefined ? undefined : scene.elementOf(entity);
  if (!element) return undefined;
  const { navigation } = element.config as { navigation?: { type: string } };
  const slider = leads(element) && navigation!.type !== 'slider' ? undefined : sliderOf(scene, element);
  return slider ? { element: slider, inside: element } : { element };
}

/**
 * Interactive elements of a room, and the handler for clicks on them.
 * @param looks whether images can be looked at closer, which is shown on the page
 */
export function targetsIn(views: ElementViews, { scene, handlers }: StageOptions, looks = true): PointerTargets {
  const isSubstitute = (id: number) => views.viewOf(id)?.isSubstitute === true;
  const takes = (element: Element) =>
    isSubstitute(element.id) || (isInteractive(scene, element) && (looks || !onlyLooks(scene, element)));
  return {
    interactive: () => views.objects(takes),
    occluders: () => views.objects(standsInFront),
    pressed: (id) => {
      if (isSubstitute(id)) return;
      const pressed = pressedOf(scene, id);
      if (pressed) handlers?.pressed?.(pressed.element, pressed.inside);
    },
  };
}
