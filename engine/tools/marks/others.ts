import {
  BufferGeometry,
  CanvasTexture,
  Color,
  Float32BufferAttribute,
  Line,
  LineBasicMaterial,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
} from 'three';
import type { RoomCommand } from '../../document/commands.ts';
import type { Vector } from '../../document/fields.ts';
import type { EditableScene } from '../../scene/editable-scene.ts';
import type { Stage } from '../../stage/stage.ts';
import { Outline } from './outline.ts';
import { spriteScale } from './screen.ts';
import { fieldsOf, type Numbers, ShownFields } from './shown-fields.ts';
import { type Together, TogetherShown } from './together.ts';

/** Another user editing the same room, as shown on the canvas. */
export interface OtherOnCanvas {
  /** Unique among other users. */
  key: string;
  name: string;
  /** CSS color. */
  color: string;
  selection: readonly number[];
  /** Camera position and pointer target in room units; null while the pointer is elsewhere. */
  pointer: { from: Vector; towards: Vector } | null;
  /** Elements being changed, with numbers such as `position_x` and `config.distance`. */
  moving: readonly { id: number; fields: Numbers }[];
  /** Elements being transformed together; null if none. */
  together: Together | null;
}

/** Above the room, below icons and gizmo. */
const RENDER_ORDER = 905;
/** Height of a name tag relative to the view height at one unit's distance. */
const NAME_HEIGHT = 0.035;
const PIXELS = { height: 44, space: 16, font: '600 24px Inter, sans-serif' };
const UNSEEN = { transparent: true, depthTest: false, depthWrite: false, fog: false, toneMapped: false } as const;

/** A name tag in the user's color, with a dot below at the pointer position. */
function nameTag(name: string, color: string): { sprite: Sprite; ratio: number } {
  const canvas = document.createElement('canvas');
  const brush = canvas.getContext('2d')!;
  brush.font = PIXELS.font;
  const width = Math.ceil(brush.measureText(name).width) + 2 * PIXELS.space;
  Object.assign(canvas, { width, height: PIXELS.height + PIXELS.space });
  // Resizing a canvas resets its drawing state.
  Object.assign(brush, { font: PIXELS.font, textBaseline: 'middle', fillStyle: color });
  brush.beginPath();
  brush.roundRect(0, 0, width, PIXELS.height, 12);
  brush.fill();
  brush.beginPath();
  brush.arc(width / 2, PIXELS.height + PIXELS.space / 2, PIXELS.space / 2 - 1, 0, 2 * Math.PI);
  brush.fill();
  brush.fillStyle = '#fff';
  brush.fillText(name, PIXELS.space, PIXELS.height / 2 + 1);
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  const sprite = new Sprite(new SpriteMaterial({ map, sizeAttenuation: false, ...UNSEEN }));
  sprite.center.set(0.5, PIXELS.space / 2 / canvas.height);
  return { sprite, ratio: width / canvas.height };
}

/** A ray that fades in and ends at the pointer target. */
function ray(color: string): Line<BufferGeometry, LineBasicMaterial> {
  const geometry = new BufferGeometry();
  const { r, g, b } = new Color(color);
  geometry.setAttribute('position', new Float32BufferAttribute(new Float32Array(6), 3));
  geometry.setAttribute('color', new Float32BufferAttribute([r, g, b, 0, r, g, b, 0.9], 4));
  return new Line(geometry, new LineBasicMaterial({ vertexColors: true, ...UNSEEN }));
}

/** Another user's selection outline and pointer. */
class Shown {
  readonly #stage: Stage;
  readonly #outline: Outline;
  readonly #ray: Line<BufferGeometry, LineBasicMaterial>;
  readonly #tag: Sprite;
  /** Aspect ratio of the name tag. */
  readonly #ratio: number;
  readonly #together = new TogetherShown();

  constructor(stage: Stage, { key, name, color }: OtherOnCanvas) {
    this.#stage = stage;
    this.#outline = new Outline(stage, `other ${key}`, { color, opacity: 0.8 });
    this.#ray = ray(color);
    const tag = nameTag(name, color);
    this.#tag = tag.sprite;
    this.#ratio = tag.ratio;
    this.#tag.name = `pointer of ${name}`;
    for (const object of [this.#ray, this.#tag]) {
      object.renderOrder = RENDER_ORDER;
      object.frustumCulled = false;
      object.visible = false;
      stage.three.add(object);
    }
  }

  show({ selection, pointer }: OtherOnCanvas): void {
    this.#outline.show(selection);
    this.#ray.visible = pointer !== null;
    this.#tag.visible = pointer !== null;
    if (!pointer) return;
    const { from, towards } = pointer;
    const places = this.#ray.geometry.attributes.position!;
    places.setXYZ(0, from.x, from.y, from.z);
    places.setXYZ(1, towards.x, towards.y, towards.z);
    places.needsUpdate = true;
    this.#tag.position.set(towards.x, towards.y, towards.z);
  }

  /** Changed numbers by element id. */
  movedOf({ moving, together }: OtherOnCanvas): (readonly [number, Numbers])[] {
    const { elements } = this.#stage.scene.room;
    return [...this.#together.show(elements, together), ...moving.map(({ id, fields }) => [id, fields] as const)];
  }

  measure(): void {
    this.#outline.measure();
  }

  place(): void {
    this.#outline.place();
    const scale = spriteScale(this.#stage, NAME_HEIGHT);
    this.#tag.scale.set(scale * this.#ratio, scale, 1);
  }

  dispose(): void {
    this.#stage.three.remove(this.#ray, this.#tag);
    this.#outline.dispose();
    this.#ray.geometry.dispose();
    this.#ray.material.dispose();
    this.#tag.material.map?.dispose();
    this.#tag.material.dispose();
  }
}

/** Other users' selections, pointers and uncommitted changes on the stage. */
export class Others {
  readonly #stage: Stage;
  readonly #shown = new Map<string, Shown>();
  /** Elements shown with other users' uncommitted changes. */
  readonly #moving: ShownFields;

  constructor(stage: Stage, scene: EditableScene) {
    this.#stage = stage;
    this.#moving = new ShownFields(scene);
  }

  /** @param isHeld whether the local user is moving an element, which has priority */
  show(others: readonly OtherOnCanvas[], isHeld: (id: number) => boolean): void {
    for (const [key, shown] of this.#shown) {
      if (others.some((other) => other.key === key)) continue;
      shown.dispose();
      this.#shown.delete(key);
    }
    const moving = new Map<number, Numbers>();
    for (const other of others) {
      const shown = this.#shown.get(other.key) ?? new Shown(this.#stage, other);
      this.#shown.set(other.key, shown);
      shown.show(other);
      for (const [id, numbers] of shown.movedOf(other)) moving.set(id, numbers);
    }
    for (const id of this.#moving.ids) if (!moving.has(id) || isHeld(id)) this.#moving.release(id);
    if (moving.size > 0)
      for (const element of this.#stage.scene.room.elements) {
        const numbers = moving.get(element.id);
        if (numbers && !isHeld(element.id)) this.#moving.show(element.id, fieldsOf(element, numbers), element);
      }
    this.#stage.refresh();
  }

  /** Reapplies uncommitted changes after an edit of the document. */
  patched(commands: readonly RoomCommand[]): void {
    this.#moving.patched(commands);
    for (const shown of this.#shown.values()) shown.measure();
  }

  /** Updates everything; called before each frame. */
  place(): void {
    for (const shown of this.#shown.values()) shown.place();
  }

  dispose(): void {
    for (const shown of this.#shown.values()) shown.dispose();
    this.#shown.clear();
  }
}
