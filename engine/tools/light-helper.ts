import {
  DirectionalLight,
  DirectionalLightHelper,
  HemisphereLight,
  HemisphereLightHelper,
  type Light,
  type Object3D,
  PointLight,
  PointLightHelper,
  SpotLight,
  SpotLightHelper,
} from 'three';
import type { Stage } from '../stage/stage.ts';

/** Radius of a point light's ball, and size of the flat and round ones, in units. */
const SIZE = { point: 30, directional: 100, hemisphere: 60 };

/** Seen before pale walls as well as before dark ones, whatever the light's own color. */
const COLOR = '#B7822F';

type Helper = Object3D & { update(): void; dispose(): void };

/** Lines that show where a light is and where it shines; ambient light is everywhere and has none. */
function helperOf(light: Light): Helper | undefined {
  if (light instanceof PointLight) return new PointLightHelper(light, SIZE.point, COLOR);
  if (light instanceof SpotLight) return new SpotLightHelper(light, COLOR);
  if (light instanceof DirectionalLight) return new DirectionalLightHelper(light, SIZE.directional, COLOR);
  if (light instanceof HemisphereLight) return new HemisphereLightHelper(light, SIZE.hemisphere, COLOR);
  return undefined;
}

/** Shows the selected light's shape; removed when another element is selected. */
export class SelectedLight {
  readonly #stage: Stage;
  #elementId: number | null = null;
  #light: Light | undefined;
  #helper: Helper | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  show(elementId: number | null): void {
    this.#elementId = elementId;
    this.#stage.refresh();
  }

  /** Brings the lines to where the light is; before each frame, since a changed light is drawn anew. */
  place(): void {
    const view = this.#elementId === null ? undefined : this.#stage.viewOf(this.#elementId);
    const light = view?.object.visible
      ? (view.object.children.find((child) => (child as Light).isLight) as Light | undefined)
      : undefined;
    if (light !== this.#light) this.#replace(light);
    if (!view || !this.#helper) return;
    view.object.updateMatrixWorld();
    this.#helper.update();
  }

  #replace(light: Light | undefined): void {
    if (this.#helper) {
      this.#stage.three.remove(this.#helper);
      this.#helper.dispose();
    }
    this.#light = light;
    this.#helper = light && helperOf(light);
    if (!this.#helper) return;
    this.#helper.name = 'light-helper';
    this.#stage.three.add(this.#helper);
  }

  dispose(): void {
    this.#replace(undefined);
  }
}
