import { createContext } from 'react';

/** Draws a model from all sides; null where this page cannot. */
export type DrawTurntable = (url: string) => Promise<Blob | null>;

/** What draws models for every part below the provider; null where nothing does. */
export const TurntableContext = createContext<DrawTurntable | null>(null);
