import type { Plugin } from 'vite';

const MODULE = /[\\/]engine[\\/]document[\\/]element-traits\.ts$/;

/** Embeds the table of element types, so that a visit loads neither their schemas nor zod. */
export function elementTraits(): Plugin {
  return {
    name: 'element-traits',
    load: {
      filter: { id: MODULE },
      handler: async () => {
        const { TRAITS } = await import('./engine/document/element-traits.ts');
        return `export const TRAITS = ${JSON.stringify(TRAITS)};`;
      },
    },
  };
}
