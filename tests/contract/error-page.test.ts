import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errors } from '../../src/contract/errors.ts';

test('the page of the API lists every error code, with its status and what to do', () => {
  const page = readFileSync('src/contract/README.md', 'utf8');
  const rows = Object.entries(errors).map(
    ([code, { status, message, suggestion }]) => `| \`${code}\` | ${status} | ${message} | ${suggestion} |`,
  );
  const table = ['| code | status | message | what to do |', '| --- | --- | --- | --- |', ...rows].join('\n');
  expect(/<!-- errors -->\n([\s\S]*?)\n<!-- \/errors -->/.exec(page)?.[1]).toBe(table);
});
