import { describe, expect, it } from 'vitest';
import { type Requester, Turns } from '../../../../../src/server/core/files/decoders/turns.ts';
import { refused } from '../../../../harness/api-app.ts';

const LIMITS = {
  all: 3,
  uploads: 2,
  organization: 2,
  address: 1,
  waiting: { all: 6, organization: 4, address: 2 },
};
const visitor = (organizationId: number, address: string): Requester => ({
  sender: 'visitor',
  organizationId,
  address,
});
const user = (organizationId: number): Requester => ({ sender: 'user', organizationId, address: null });
const page: Requester = { sender: 'user', organizationId: null, address: null };

describe('turns of decoding', () => {
  /** Claims with names, and the order in which they begin. */
  const startTurns = () => {
    const turns = new Turns(LIMITS);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const claim = (
      name: string,
      requester: Requester,
      { isCopy = false, isBackground = false, isLarge = false } = {},
    ) =>
      turns.take({ ...requester, isCopy, isBackground, isLarge }).then((end) => {
        begun.push(name);
        ends.set(name, end);
      });
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    const end = (name: string) => {
      ends.get(name)!();
      return settle();
    };
    return { begun, claim, end, settle };
  };

  it('security 72: uploads leave a turn to pages, and a page goes before those who waited longer', async () => {
    const { begun, claim, end, settle } = startTurns();
    for (const name of ['a', 'b', 'c']) void claim(name, user(name.charCodeAt(0)));
    void claim('page', page, { isCopy: true });
    await settle();
    expect(begun).toEqual(['a', 'b', 'page']);
    void claim('next page', page, { isCopy: true });
    await end('page');
    expect(begun.at(-1)).toBe('next page');
    await end('a');
    expect(begun.at(-1)).toBe('c');
  });

  it('conversions in the background run one at a time, and neither wait for uploads nor delay them', async () => {
    const { begun, claim, end, settle } = startTurns();
    for (const name of ['a', 'b', 'c']) void claim(name, user(name.charCodeAt(0)));
    void claim('conversion', user(1), { isBackground: true });
    void claim('next conversion', user(2), { isBackground: true });
    await settle();
    expect(begun).toEqual(['a', 'b', 'conversion']);
    await end('a');
    expect(begun.at(-1)).toBe('c');
    await end('conversion');
    expect(begun.at(-1)).toBe('next conversion');
    void claim('own upload', user(2));
    await end('b');
    expect(begun.at(-1)).toBe('own upload');
  });

  it('security 72: one large image at a time, and small ones beside it', async () => {
    const { begun, claim, end, settle } = startTurns();
    void claim('large', user(1), { isLarge: true });
    void claim('second large', user(2), { isLarge: true });
    void claim('large copy', page, { isLarge: true, isCopy: true });
    void claim('small', user(3));
    await settle();
    expect(begun).toEqual(['large', 'small']);
    await end('large');
    expect(begun.at(-1)).toBe('large copy');
    await end('large copy');
    expect(begun.at(-1)).toBe('second large');
  });

  it('security 72: addresses and organizations take turns, however much each of them sent', async () => {
    const { begun, claim, end, settle } = startTurns();
    void claim('flood 1', visitor(1, 'a'));
    void claim('flood 2', visitor(1, 'a'));
    void claim('flood 3', visitor(1, 'a'));
    void claim('other', visitor(1, 'b'));
    void claim('neighbor', visitor(2, 'c'));
    await settle();
    // One at a time for each address.
    expect(begun).toEqual(['flood 1', 'other']);
    await end('other');
    expect(begun.at(-1)).toBe('neighbor');
    await end('neighbor');
    expect(begun).toHaveLength(3);
    await end('flood 1');
    expect(begun.at(-1)).toBe('flood 2');
  });

  it('security 72: those of one address or organization are refused while many of theirs wait, and others are not', async () => {
    const { claim, settle } = startTurns();
    const crowded = { code: 'unavailable', status: 503 };
    for (let count = 0; count < 3; count++) void claim('', visitor(1, 'a'));
    expect(await refused(claim('', visitor(1, 'a')))).toMatchObject(crowded);
    for (const address of ['b', 'c', 'd']) void claim('', visitor(1, address));
    expect(await refused(claim('', visitor(1, 'e')))).toMatchObject(crowded);
    void claim('', visitor(2, 'f'));
    void claim('', visitor(2, 'f'));
    expect(await refused(claim('', user(3)))).toMatchObject(crowded);
    void claim('', page, { isCopy: true });
    await settle();
  });
});
