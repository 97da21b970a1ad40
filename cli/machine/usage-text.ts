import type { Usage } from '../../src/contract/entities.ts';

const MEGABYTE = 1_000_000;

const numberOf = (quota: Usage['quota'], count: number): string =>
  (quota === 'storage' ? count / MEGABYTE : count).toLocaleString('en', { maximumFractionDigits: 1 });

/** Usage and limit, such as `12.5 of 50,000 MB`; only the usage if there is no limit. */
export function usageText({ quota, used, limit }: Usage): string {
  const unit = quota === 'storage' ? ' MB' : '';
  return `${numberOf(quota, used)}${limit === null ? '' : ` of ${numberOf(quota, limit)}`}${unit}`;
}
