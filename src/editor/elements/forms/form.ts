import type { ComponentType } from 'react';

/** The tabs of an element's edit window, in their order, and what stands in each. */
export type ElementForm = Readonly<Record<string, ComponentType>>;
