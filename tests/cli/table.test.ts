import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { shortened, tableText } from '../../cli/report/table.ts';

describe('a table on a terminal', () => {
  it('stays aligned with wide signs, accents that stand alone, and numbers that are missing', () => {
    const rows = [
      { name: '展示室', size: 12, note: 'a' },
      { name: 'e\u0301te\u0301 👩‍🚀', size: null, note: 'b' },
      { name: 'Hall', size: 7, note: 'c' },
    ];
    const lines = tableText(['name', 'size', 'note'], rows).trimEnd().split('\n');
    expect(lines.map((line) => stringWidth(line.slice(0, line.length - 1)))).toEqual([17, 14, 14, 14]);
    expect(lines[1]).toBe('展示室    12  a');
    expect(lines[3]).toBe('Hall       7  c');
  });

  it('shows nothing of what would drive the terminal, and cuts where a sign ends', () => {
    expect(tableText(['name'], [{ name: 'a\u001b[31mb\nc' }])).toBe('name\na [31mb c\n');
    expect(shortened('展示室', 5)).toBe('展示…');
    expect(shortened('Hall', 4)).toBe('Hall');
  });
});
