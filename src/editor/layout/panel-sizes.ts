import { observable, runInAction } from 'mobx';
import { storedText } from '../../ui/storage.ts';

/** Panels whose width is chosen, with their widths in pixels: at first, at least and at most. */
export const PANELS = {
  tree: { first: 280, least: 220, most: 520 },
  window: { first: 340, least: 300, most: 640 },
} as const;
export type Panel = keyof typeof PANELS;

const kept = { tree: storedText('enfilade.editor-tree'), window: storedText('enfilade.editor-window') };

const within = (panel: Panel, width: number): number => {
  const { least, most } = PANELS[panel];
  return Math.round(Math.min(Math.max(width, least), most));
};

function initial(panel: Panel): number {
  const width = Number(kept[panel].get() ?? Number.NaN);
  return Number.isFinite(width) ? within(panel, width) : PANELS[panel].first;
}

const widths = observable.object<Record<Panel, number>>({ tree: initial('tree'), window: initial('window') });

/** Width of a panel in pixels (observed). */
export const widthOf = (panel: Panel): number => widths[panel];

/** Sets the width of a panel, within its bounds, here and from now on. */
export function setWidth(panel: Panel, width: number): void {
  runInAction(() => (widths[panel] = within(panel, width)));
  kept[panel].set(String(widths[panel]));
}
