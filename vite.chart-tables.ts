import type { Plugin } from 'vite';
import type { ChartTable } from './engine/machines/chart-table.ts';

const MODULE = /[\\/]engine[\\/]machines[\\/]tables\.ts$/;

/** Encodes numbers below 36 as one character each, which compresses well. */
function signsOf(numbers: Uint8Array): string {
  if (numbers.some((number) => number >= 36)) throw new RangeError('A chart has too many states to be written down.');
  return Array.from(numbers, (number) => number.toString(36)).join('');
}

/** Source of a module that exports the compiled tables without their charts. */
export function codeOf(tables: Readonly<Record<string, ChartTable>>): string {
  const lines = Object.entries(tables).map(([name, { next, told, ...rest }]) => {
    const fields = `...${JSON.stringify(rest)}, next: bytes('${signsOf(next)}'), told: bytes('${signsOf(told)}')`;
    return `export const ${name} = { ${fields} };`;
  });
  return `const bytes = (signs) => Uint8Array.from(signs, (sign) => parseInt(sign, 36));\n${lines.join('\n')}\n`;
}

/** Embeds the compiled tables of the statecharts, so that pages load neither the charts nor xstate for them. */
export function chartTables(): Plugin {
  return {
    name: 'chart-tables',
    load: {
      filter: { id: MODULE },
      handler: async () => codeOf({ ...(await import('./engine/machines/tables.ts')) }),
    },
  };
}
