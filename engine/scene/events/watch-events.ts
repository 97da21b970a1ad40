import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';
import { isSlide, nextSlide, previousSlide } from './slider.ts';

/**
 * Emits slider events. Runs last because it only reads what the other systems computed in this tick.
 */
export function events(world: SceneWorld, { input }: TickInput): void {
  const { choice } = world;
  if (choice.slider && !isOpen(world)) closeSlider(world);
  if (!input) return;
  for (const each of input) {
    switch (each.type) {
      case 'slider.open':
        openSlider(world, each.element_id);
        break;
      case 'slider.next':
        step(world, nextSlide);
        break;
      case 'slider.previous':
        step(world, previousSlide);
        break;
      case 'slider.close':
        if (choice.slider) closeSlider(world);
    }
  }
}

/** Whether the open slider and its current slide still exist and are visible. */
function isOpen(world: SceneWorld): boolean {
  const group = world.byId.get(world.choice.slider);
  const slide = world.byId.get(world.choice.slide);
  if (group === undefined || slide === undefined || !isSlider(world, group)) return false;
  return world.ChildOf.parent[slide] === group && world.Visibility.visible[slide] === 1;
}

const isSlider = (world: SceneWorld, entity: number): boolean => {
  const element = world.elements[entity];
  return element?.element === 'group' && element.config.slider_enabled && world.Visibility.visible[entity] === 1;
};

/** Ids of a group's slides in order: its visible elements, including feed items. */
function slidesOf(world: SceneWorld, group: number): number[] {
  const { order, ChildOf, Visibility, elements } = world;
  const first = ChildOf.rank[group]!;
  const slides: number[] = [];
  for (let rank = first + 1; rank < order.ends[first]!; rank = order.ends[rank]!) {
    const entity = order.entities[rank]!;
    const element = elements[entity]!;
    if (Visibility.visible[entity] && isSlide(element)) slides.push(element.id);
  }
  return slides;
}

/**
 * Opens the closest slider around an element, at the slide that contains it; for a slider's own group, at its first
 * slide.
 */
function openSlider(world: SceneWorld, id: number): void {
  const entity = world.byId.get(id);
  if (entity === undefined) return;
  let inside = entity;
  let group = entity;
  while (group && !isSlider(world, group)) {
    inside = group;
    group = world.ChildOf.parent[group]!;
  }
  if (!group) return;
  const slides = slidesOf(world, group);
  if (slides.length === 0) return;
  const index = Math.max(0, slides.indexOf(world.elements[inside]!.id));
  world.choice.slider = world.elements[group]!.id;
  show(world, slides, index);
}

function step(world: SceneWorld, move: (index: number, count: number) => number): void {
  const { slider, slide } = world.choice;
  const group = world.byId.get(slider);
  if (!slider || group === undefined) return;
  const slides = slidesOf(world, group);
  show(world, slides, move(slides.indexOf(slide), slides.length));
}

function show(world: SceneWorld, slides: number[], index: number): void {
  const slide = slides[index];
  if (slide === undefined) return;
  world.choice.slide = slide;
  world.outbox.push({ type: 'slider', element_id: world.choice.slider, slide, index, count: slides.length });
}

function closeSlider(world: SceneWorld): void {
  world.outbox.push({ type: 'slider.closed', element_id: world.choice.slider });
  world.choice.slider = 0;
  world.choice.slide = 0;
}
