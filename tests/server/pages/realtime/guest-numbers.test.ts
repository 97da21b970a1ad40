import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuestNumbers } from '../../../../src/server/pages/realtime/guest-numbers.ts';
import { presenceNews } from '../../../../src/server/pages/realtime/news.ts';

describe('numbers of guests', () => {
  it('are each one visitor’s, the lowest that is free, whoever comes and goes', () => {
    const visits = fc.array(fc.tuple(fc.nat(9), fc.boolean(), fc.option(fc.integer({ min: 1, max: 12 }))));
    fc.assert(
      fc.property(visits, (steps) => {
        const numbers = new GuestNumbers();
        const here = new Map<number, ReturnType<GuestNumbers['join']>>();
        for (const [who, comes, wish] of steps) {
          const known = here.get(who);
          if (comes && !known) {
            const taken = new Set([...here.values()].map(({ number }) => number));
            const guest = numbers.join(`v${who}`, wish ?? undefined);
            expect(taken).not.toContain(guest.number);
            if (wish !== null && !taken.has(wish)) expect(guest.number).toBe(wish);
            else for (let lower = 1; lower < guest.number; lower++) expect(taken).toContain(lower);
            here.set(who, guest);
          } else if (!comes && known) {
            numbers.leave(known);
            here.delete(who);
          }
        }
      }),
    );
  });

  it('that two servers gave at once come to the same end on both', () => {
    const [here, there] = [new GuestNumbers(), new GuestNumbers()];
    // Each gives the first number to its own visitor before it hears of the other's.
    const [anna, ben] = [here.join('anna', undefined), there.join('ben', undefined)];
    const annaThere = there.join('anna', anna.number);
    const benHere = here.join('ben', ben.number);
    // And says so, as often as it likes.
    for (let round = 0; round < 3; round++) {
      here.claim(benHere, ben.number);
      there.claim(annaThere, anna.number);
    }
    expect([anna, annaThere, ben, benHere].map(({ ref, number }) => `${ref} ${number}`)).toEqual([
      'anna 1',
      'anna 1',
      'ben 2',
      'ben 2',
    ]);
  });
});

describe('news between servers', () => {
  it('of earlier versions are read, and theirs have nothing in them that those would refuse', () => {
    expect(presenceNews.read('{"seen":[["anna",1,2,3]]}')).toEqual({
      seen: [['anna', 1, 2, 3]],
      looks: [],
      gone: [],
      asks: false,
    });
    const news = presenceNews.read('{"seen":[["anna",1,2,3]],"looks":[[60,2]]}');
    expect(news?.looks).toEqual([[60, 2]]);
    // What an earlier version takes of a visitor is exactly these four.
    expect(news?.seen?.[0]).toHaveLength(4);
  });

  it('with headings or numbers that are none are refused', () => {
    for (const look of ['[256,1]', '[-1,1]', '[1,0]', '[1,1.5]', '[1]', '[1,2,3]', '["1",1]', 'null'])
      expect(presenceNews.read(`{"seen":[["anna",1,2,3]],"looks":[${look}]}`)).toBeNull();
  });
});
