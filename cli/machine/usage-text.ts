import type { Usage } from '../../src/contract/entities.ts';

const MEGABYTE = 1_000_000;

const numberOf = (quota: Usage['quota'], count: number): string =>
  (quota === 'storage' ? count / MEGABYTE : count).toLocaleString('en', { maximumFractionDigits: 1 });

/** How much there is of how much, such as `12.5 of 50,000 MB`; only how much there is where nothing limits it. */
export function usageText({ quota, used, limit }: Usage): string {
  const unit = quota === 'storage' ? ' MB' : '';
  return `${numberOf(quota, used)}${limit === null ? '' : ` of ${numberOf(quota, limit)}`}${unit}`;
}
