import type { Vector3 } from 'three';
import { UNITS_PER_METER } from '../../document/constants.ts';
import type { Stage } from '../../stage/stage.ts';
import type { Picker } from '../camera/picker.ts';
import type { PropertyHandle } from '../gizmo/properties/figure.ts';
import { HandleDots } from '../gizmo/properties/handle-dots.ts';
import { StrokeLines } from '../marks/box-lines.ts';
import { middleOfLabel, type PagePoint, seenAt } from '../marks/screen.ts';

/** Maximum movement of a click in pixels. */
const MAX_CLICK_MOVE = 6;

const number = (value: number) => String(Math.round(value * 10) / 10);

/** Describes the distance between two points: units and meters, then per axis. */
export function measureText(from: Vector3, to: Vector3): string {
  const away = from.distanceTo(to);
  const meters = (away / UNITS_PER_METER).toFixed(2);
  const [x, y, z] = (['x', 'y', 'z'] as const).map((axis) => number(Math.abs(to[axis] - from[axis])));
  return `${number(away)} units (${meters} m) · X ${x}, Y ${y}, Z ${z}`;
}

/**
 * Measures the distance between two clicked points on walls, floor or elements; with the keyboard, Enter uses the
 * point in the center of the view.
 */
export class Measure {
  readonly #stage: Stage;
  readonly #surface: HTMLElement;
  readonly #picker: Picker;
  readonly #changed: (isOn: boolean) => void;
  readonly #lines: StrokeLines;
  readonly #dots: HandleDots;
  readonly #label = document.createElement('div');
  /** Crosshair at the point used by Enter; visible during keyboard use. */
  readonly #aim = document.createElement('div');
  readonly #abort = new AbortController();
  #isOn = false;
  #pressed: PagePoint = { clientX: 0, clientY: 0 };
  #from: Vector3 | undefined;
  /** The second point, or the hovered one. */
  #to: Vector3 | undefined;
  #isDone = false;

  /** @param changed called when measuring starts and ends */
  constructor(stage: Stage, surface: HTMLElement, picker: Picker, changed: (isOn: boolean) => void) {
    this.#stage = stage;
    this.#surface = surface;
    this.#picker = picker;
    this.#changed = changed;
    this.#lines = new StrokeLines(stage, 'measure', { color: '#7FD3CF', opacity: 1 });
    this.#dots = new HandleDots(stage, 'dot', 'measure-ends');
    this.#label.className = 'tools-label tools-measure';
    this.#label.role = 'status';
    this.#label.hidden = true;
    this.#aim.className = 'tools-aim';
    this.#aim.hidden = true;
    surface.append(this.#label, this.#aim);
    const { signal } = this.#abort;
    const options = { signal, capture: true };
    surface.addEventListener('pointerdown', (event) => (this.#pressed = event), options);
    surface.addEventListener('pointermove', (event) => this.#move(event), options);
    // In the capture phase, to precede selection.
    surface.addEventListener('click', (event) => this.#press(event), options);
    surface.addEventListener('keydown', (event) => this.#key(event), options);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  set isOn(value: boolean) {
    if (value === this.#isOn) return;
    this.#isOn = value;
    this.#from = undefined;
    this.#to = undefined;
    this.#isDone = false;
    this.#surface.style.cursor = value ? 'crosshair' : '';
    this.#aim.hidden = !value;
    this.#changed(value);
    this.#stage.refresh();
  }

  #move(event: PointerEvent): void {
    if (!this.#isOn || !this.#from || this.#isDone || event.buttons !== 0) return;
    this.#to = this.#picker.pointAt(event.clientX, event.clientY) ?? this.#to;
    this.#stage.refresh();
  }

  #press(event: MouseEvent): void {
    const { clientX, clientY } = this.#pressed;
    const isPress = Math.hypot(event.clientX - clientX, event.clientY - clientY) <= MAX_CLICK_MOVE;
    if (!this.#isOn) return;
    event.stopImmediatePropagation();
    this.#take(isPress ? this.#picker.pointAt(event.clientX, event.clientY) : undefined);
  }

  #key(event: KeyboardEvent): void {
    if (!this.#isOn || event.key !== 'Enter' || event.target !== this.#surface) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { left, top, width, height } = this.#aim.getBoundingClientRect();
    this.#take(this.#picker.pointAt(left + width / 2, top + height / 2));
  }

  #take(point: Vector3 | undefined): void {
    if (!point) return;
    if (this.#from && !this.#isDone) {
      this.#to = point;
      this.#isDone = true;
    } else {
      this.#from = point;
      this.#to = undefined;
      this.#isDone = false;
    }
    this.#stage.refresh();
  }

  /** Updates line and label; called before each frame. */
  place(): void {
    const [from, to] = [this.#from, this.#to];
    const ends = [from, to].filter((point) => point !== undefined);
    this.#dots.show(
      ends.map((at, index): Pick<PropertyHandle, 'name' | 'at' | 'shape'> => ({ name: `${index}`, at, shape: 'dot' })),
    );
    this.#lines.show(from && to ? [[from, to]] : []);
    if (this.#label.hidden === this.#isOn) this.#label.hidden = !this.#isOn;
    if (!this.#isOn) return;
    const text = from && to ? measureText(from, to) : `Press the ${from ? 'second' : 'first'} point, or Enter`;
    if (this.#label.textContent !== text) this.#label.textContent = text;
    const { left, top, width, height } = this.#stage.canvas.getBoundingClientRect();
    const middle = from && to ? from.clone().add(to).multiplyScalar(0.5) : undefined;
    const at = middle && seenAt(this.#stage, middle);
    const [x, y] = at ? [at.x - left, at.y - top - 10] : [width / 2, height - 24];
    const across = middleOfLabel(this.#surface, x, this.#label.offsetWidth / 2);
    this.#label.style.transform = `translate(${across}px, ${Math.max(y, 30)}px) translate(-50%, -100%)`;
  }

  dispose(): void {
    this.#abort.abort();
    this.#label.remove();
    this.#aim.remove();
    this.#lines.dispose();
    this.#dots.dispose();
  }
}
