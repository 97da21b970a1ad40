import { databases } from './api-app.ts';

/** Both databases, and all of their combinations with both storages. */
export const databaseAndStorage = databases.flatMap((kind) =>
  (['disk', 'bucket'] as const).map((storage) => ({ kind, storage })),
);
