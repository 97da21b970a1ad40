import type { Template } from '../../engine/document/template.ts';

/** Steps before visitors see a room, in order. */
export type EntryStep = 'token' | 'countdown' | 'entrance';

/** The structure in a form, saved or not, as its preview shows it. */
export interface PreviewedStructure {
  name: string;
  step: EntryStep;
  /** Opening time in seconds since 1970; null without a countdown. */
  opensAt: number | null;
  /** URL of the poster; null for none. */
  poster: string | null;
  /** Own accent color; null to inherit it. */
  accent_color: string | null;
  /** The space; null while it loads. */
  room: { title: string; template: Template | null } | null;
}

/** The form's side of a preview: its frame reads it from the window that contains it. */
export interface StructurePreviewSource {
  get(): PreviewedStructure;
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void;
}

declare global {
  interface Window {
    /** The structure form on this page; undefined on other pages. */
    enfiladeStructure?: StructurePreviewSource | undefined;
  }
}
