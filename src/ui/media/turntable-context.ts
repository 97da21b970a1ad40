import { createContext } from 'react';

/** Renders a model's turntable sheet; null if unsupported. */
export type DrawTurntable = (url: string) => Promise<Blob | null>;

/** Provides the model renderer; null if there is none. */
export const TurntableContext = createContext<DrawTurntable | null>(null);
