import type { Measure } from '../../../engine/document/costs.ts';

/** What the measures are called. */
export const MEASURE_NAMES: Record<Measure, string> = {
  triangles: 'Triangles',
  texture_bytes: 'Texture memory',
  draw_calls: 'Draw calls',
  download_bytes: 'Download',
  dom_elements: 'Page elements',
};

const BYTES: ReadonlySet<Measure> = new Set(['texture_bytes', 'download_bytes']);
const MB = 1024 * 1024;

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** An amount of a measure, short. */
export function amountText(measure: Measure, amount: number): string {
  if (!BYTES.has(measure)) return short.format(amount);
  return amount < MB ? `${Math.ceil(amount / 1024)} KB` : `${Number((amount / MB).toFixed(1))} MB`;
}
