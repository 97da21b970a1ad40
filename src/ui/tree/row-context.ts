import { createContext } from 'react';

/** Whether a control is in the row that has the tree's tab stop; Tab skips those of other rows. Null outside trees. */
export const TabStopContext = createContext<boolean | null>(null);
