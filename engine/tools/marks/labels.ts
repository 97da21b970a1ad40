import { Box3, Vector3 } from 'three';
import { descriptorOf, type Element } from '../../document/element.ts';
import type { Stage } from '../../stage/stage.ts';
import { worldBoundsOf } from './bounds.ts';
import { middleOfLabel } from './screen.ts';

/** Maximum number of error labels shown at once. */
const MAX_FAULTS = 30;
/** Distance in pixels between an element and its label. */
const SPACE = 6;

interface Label {
  id: number;
  /** Why it couldn't be drawn; empty for hover labels. */
  fault: string;
  node: HTMLElement;
  /** Half its width in pixels. */
  half: number;
}

/** Labels over the canvas: the name of the hovered element, and the errors of elements that couldn't be drawn. */
export class Labels {
  readonly #stage: Stage;
  readonly #surface: HTMLElement;
  readonly #labels = new Map<string, Label>();
  readonly #box = new Box3();
  readonly #point = new Vector3();
  readonly #faults = new Map<number, string>();
  #hoveredId: number | null = null;

  /** @param surface element that the stage fills */
  constructor(stage: Stage, surface: HTMLElement) {
    this.#stage = stage;
    this.#surface = surface;
  }

  /** Shows the name of the hovered element. */
  hover(elementId: number | null): void {
    this.#hoveredId = elementId;
    this.#stage.refresh();
  }

  /** Shows why an element couldn't be drawn. */
  fail(elementId: number, why: string): void {
    this.#faults.set(elementId, why);
    this.#stage.refresh();
  }

  #element(id: number): Element | undefined {
    const { scene } = this.#stage;
    const entity = scene.entityOf(id);
    const element = entity === undefined ? undefined : scene.elementOf(entity);
    return element && scene.isVisible(entity!) ? element : undefined;
  }

  /** Updates all labels; called before each frame. @param isQuiet whether to hide the name, during drags */
  place(isQuiet: boolean): void {
    const wanted = new Map<string, { element: Element; fault: string }>();
    for (const [id, fault] of this.#faults) {
      const element = this.#element(id);
      if (!element || this.#stage.viewOf(id)) continue;
      if (wanted.size < MAX_FAULTS) wanted.set(`fault ${id}`, { element, fault });
    }
    const id = isQuiet ? null : this.#hoveredId;
    const hovered = id === null || wanted.has(`fault ${id}`) ? undefined : this.#element(id);
    if (hovered) wanted.set(`name ${hovered.id}`, { element: hovered, fault: '' });
    for (const [key, { node }] of this.#labels) {
      if (wanted.has(key)) continue;
      node.remove();
      this.#labels.delete(key);
    }
    for (const [key, { element, fault }] of wanted) this.#put(key, element, fault);
  }

  #put(key: string, element: Element, fault: string): void {
    const label = this.#labels.get(key) ?? this.#make(key, element.id, fault);
    const name = element.name || descriptorOf(element).label;
    const text = fault ? `${name}: ${fault}` : name;
    if (label.node.textContent !== text) {
      label.node.textContent = text;
      label.half = 0;
    }
    const { camera, canvas } = this.#stage;
    worldBoundsOf(this.#stage, element, this.#box).getCenter(this.#point);
    if (!fault) this.#point.y = this.#box.max.y;
    this.#point.project(camera);
    const { x, y, z } = this.#point;
    // Errors of elements out of view are listed by the linter.
    const isSeen = Math.abs(z) <= 1 && (!fault || (Math.abs(x) <= 1 && Math.abs(y) <= 1));
    if (label.node.hidden === isSeen) label.node.hidden = !isSeen;
    if (!isSeen) return;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const top = Math.max(4, ((1 - y) / 2) * height + (fault ? 22 : -SPACE));
    if (label.half === 0) label.half = label.node.offsetWidth / 2;
    const left = middleOfLabel(this.#surface, ((x + 1) / 2) * width, label.half);
    label.node.style.transform = `translate(${left}px, ${top}px) translate(-50%, ${fault || top < 30 ? 0 : -100}%)`;
  }

  #make(key: string, id: number, fault: string): Label {
    const node = document.createElement('div');
    node.className = fault ? 'tools-label tools-fault' : 'tools-label';
    this.#surface.append(node);
    const label = { id, fault, node, half: 0 };
    this.#labels.set(key, label);
    return label;
  }

  dispose(): void {
    for (const { node } of this.#labels.values()) node.remove();
    this.#labels.clear();
  }
}
