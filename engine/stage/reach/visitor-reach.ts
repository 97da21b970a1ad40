import type { Object3D, PerspectiveCamera } from 'three';
import type { Element } from '../../document/element.ts';
import { listenToKeyboard } from '../camera/keyboard.ts';
import type { CameraRig } from '../camera/rig.ts';
import { listenForZoom } from '../camera/zoom.ts';
import type { ElementViews } from '../element-views.ts';
import { needsButton, targetsIn } from '../interaction/interactive.ts';
import { PointerRouter } from '../interaction/pointer.ts';
import type { LazyDomLayer } from '../layers/lazy-dom-layer.ts';
import type { ElementNaming, StageOptions } from '../stage-options.ts';
import { FocusView } from './focus-view.ts';
import { Hotspots } from './hotspots.ts';
import { HoverLabel } from './hover-label.ts';
import { PressOrder } from './press-order.ts';

/** What a visitor's pointer and keys act on. */
export interface Reach {
  options: StageOptions;
  canvas: HTMLCanvasElement;
  camera: PerspectiveCamera;
  rig: CameraRig;
  views: ElementViews;
  dom: LazyDomLayer;
}

/** How a visitor reaches a room: by pointer and by keys, with what shows that it can be pressed. */
export class VisitorReach {
  readonly #reach: Reach;
  readonly #naming: ElementNaming;
  readonly #pointer: PointerRouter;
  readonly #label: HoverLabel;
  readonly #focus: FocusView;
  readonly #order: PressOrder;
  readonly #cleanups: (() => void)[];
  readonly #hotspots: Hotspots | undefined;
  #changes = -1;
  #version = -1;

  constructor(reach: Reach, naming: ElementNaming) {
    this.#reach = reach;
    this.#naming = naming;
    const { options, canvas, camera, rig, views, dom } = reach;
    const { container, scene } = options;
    const style = scene.room.template?.hotspot_style ?? 'dot';
    this.#label = new HoverLabel(container);
    const targets = targetsIn(views, options);
    const hover = (id: number | undefined, event: PointerEvent) => this.#hover(id, event);
    this.#pointer = new PointerRouter(container, canvas, camera, targets, dom, style === 'off' ? undefined : hover);
    this.#cleanups = [
      listenToKeyboard(rig, () => scene.room.config.camera.rotate),
      listenForZoom(rig, container, () => scene.room),
    ];
    this.#focus = new FocusView({
      container,
      camera,
      rig,
      label: this.#label,
      targetOf: (id) => this.#targetOf(id),
      nameOf: (id) => this.#named(id),
      invalidate: () => views.context.invalidate(),
    });
    this.#order = new PressOrder({
      pressed: () => this.#pressed(),
      nameOf: (element) => this.#nameOf(element),
      pageOf: (id) => views.viewOf(id)?.page,
      layer: () => views.context.dom(),
      lost: () => container.focus({ preventScroll: true }),
    });
    if (style !== 'off') {
      this.#hotspots = new Hotspots(style);
      views.context.three.add(this.#hotspots.object);
    }
  }

  #elementOf(id: number): Element | undefined {
    const { scene } = this.#reach.options;
    return scene.elementOf(scene.entityOf(id) ?? 0);
  }

  #targetOf(id: number): Object3D | undefined {
    const view = this.#reach.views.viewOf(id);
    return view?.object.visible ? (view.target ?? view.object) : undefined;
  }

  #nameOf(element: Element): string {
    const { childNodes = [] } = this.#reach.views.viewOf(element.id)?.page ?? {};
    const words = [...childNodes].map((part) => part.textContent).join(' ');
    return this.#naming(element, words.replace(/\s+/g, ' '));
  }

  #named(id: number): string {
    const element = this.#elementOf(id);
    return element ? this.#nameOf(element) : '';
  }

  *#pressed(): Generator<Element> {
    const { views, options } = this.#reach;
    for (const id of views.visible()) {
      const element = this.#elementOf(id);
      if (element && needsButton(options.scene, element)) yield element;
    }
  }

  *#marked(): Generator<{ object: Object3D; element: Element }> {
    for (const element of this.#pressed()) {
      const { object } = this.#reach.views.viewOf(element.id)!;
      yield { object, element };
    }
  }

  #hover(id: number | undefined, { clientX, clientY }: PointerEvent): void {
    if (this.#focus.focused !== undefined) return;
    if (id === undefined) {
      this.#label.hide();
      return;
    }
    const { left, top } = this.#reach.options.container.getBoundingClientRect();
    this.#label.show(this.#named(id), clientX - left, clientY - top);
  }

  /** Brings everything in line with a frame that is about to be drawn. @param version of the scene */
  prepare(version: number): void {
    const { changes } = this.#reach.views;
    if (changes !== this.#changes) {
      this.#changes = changes;
      this.#order.follow().catch((error) => this.#reach.options.handlers?.failed?.(String(error), null));
      this.#hotspots?.mark(this.#marked());
    } else if (version !== this.#version) this.#hotspots?.move();
    this.#version = version;
  }

  /** Follows a frame that was drawn. */
  draw(): void {
    this.#focus.draw();
  }

  dispose(): void {
    for (const cleanup of this.#cleanups) cleanup();
    for (const part of [this.#pointer, this.#focus, this.#order, this.#label, this.#hotspots]) part?.dispose();
  }
}
