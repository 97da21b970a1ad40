import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

const csv = (content: string) => ({ access_tokens_file: new File([content], 'codes.csv') });
const lines = (...rows: string[]) => `${rows.join('\r\n')}\r\n`;

describe.each(databases)('a table of access tokens on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let endpoint: number;
  let count = 0;
  let visitors = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  });
  beforeEach(async () => {
    const body = { name: `Members ${++count}`, room_id: room, is_protected: true };
    endpoint = (await client.endpoints.create({ body })).id;
  });
  afterAll(() => api.close());

  const send = (content: string, body: object = {}) =>
    client.accessTokens.importFile({ params: { id: endpoint }, body, files: csv(content) });
  const stored = async (): Promise<string[]> =>
    (await client.accessTokens.list({ query: { endpoint_id: endpoint } })).data.map(({ token }) => token).toReversed();
  const enters = async (access_token: string) => {
    const headers = { 'x-forwarded-for': `10.0.${++visitors >> 8}.${visitors & 255}` };
    const params = { slugOne: `members-${count}` };
    const { status } = await api.call(calls.visit.enterOne, params, { body: { access_token }, headers });
    return status === 200;
  };

  it.each([
    ['that differ in their last digit', ['8712345678901230', '8712345678905671', '8712345678909990']],
    ['of which two end in zero by chance', ['8712345678901230', '8712345678905670']],
    ['of 15 digits', ['871234567890120', '871234567890560', '871234567890990']],
    [
      'that begin with zeros, as no number of a spreadsheet does',
      ['0712345678901230', '0712345678905670', '0712345678909990'],
    ],
  ])('long numbers %s are tokens', async (_, tokens) => {
    expect((await send(lines(...tokens))).accepted).toBe(tokens.length);
    expect(await stored()).toEqual(tokens);
  });

  it.each([
    ['Cyrillic', 'VIP-\u0410BC12'],
    ['Greek', 'VIP-\u0391BC12'],
  ])('warns of tokens that mix Latin letters with %s ones, and takes them', async (_, token) => {
    const report = await send(lines('VIP-ABC12', token, 'VIP-ABC13'));
    expect(report).toMatchObject({ accepted: 3 });
    expect(report.warnings).toContainEqual(
      expect.stringMatching(/^Line 2: Latin letters are mixed with similar Cyrillic or Greek letters/),
    );
    const plain = await send(lines('\u0411\u0418\u041b\u0415\u0422-123456', 'VIP-ABC14'), { dry_run: true });
    expect(plain.warnings.join()).not.toContain('mixed');
  });

  it.each([
    ['shortened numbers', lines('7.7E+17', '8.71235E+12', '8712345678920'), [1, 2]],
    ['shortened numbers with a decimal comma', lines('7,7E+17', '8,71235E+12', '8712345678920'), [1, 2]],
    [
      'shortened numbers with a decimal comma in a table',
      lines('Barcode,Name', '7,7E+17,Ann', '8712345678920,Bob'),
      [2],
    ],
    ['error values', lines('NUL-AAA-001', '#N/A', 'NULL', '#REF!'), [2, 3, 4]],
    ['error values in other languages', lines('AAA-001', '#NV', '#BEZUG!', '#VALEUR!', '#VERW!'), [2, 3, 4, 5]],
    ['a total below', lines('Barcode', 'AAA-001', 'AAA-002', 'Total: 2'), [4]],
    ['a total beside', lines('Name;Barcode', 'Ann;AAA-001', 'Totaal;1'), [3]],
    [
      'numbers of 16 digits that were rounded',
      lines('8712345678901230', '8712345678905670', '8712345678909990'),
      [1, 2, 3],
    ],
    [
      'numbers of 18 digits that were rounded, beside shorter ones',
      lines('Barcode;Name', '871234567890123000;Ann', '8712345;Bob'),
      [2],
    ],
    ['a heading again', lines('Barcode', 'AAA-001', 'Barcode', 'AAA-002'), [3]],
  ])('with %s is refused as a whole, with its lines', async (_, content, wrong) => {
    const { status, code, msg } = await refused(send(content));
    expect([status, code]).toEqual([422, 'invalid']);
    const named = msg.access_tokens_file!.map((text) => Number(/^Line (\d+):/.exec(text)?.[1]));
    expect(named).toEqual(wrong);
    expect(await stored()).toEqual([]);
    for (const access_token of ['7', '#N/A', 'NULL', 'Total: 2', 'Barcode'])
      expect(await enters(access_token)).toBe(false);
  });

  it.each([
    [
      'HTML with the ending .xls',
      '\ufeff<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>AAA-1</td></tr></table></html>',
      /web page/,
    ],
    ['XML of a spreadsheet', '<?xml version="1.0"?>\n<Workbook><Row>AAA-1</Row></Workbook>', /web page/],
    ['a spreadsheet', 'PK\u0003\u0004AAA-1', /spreadsheet/],
    ['a PDF', '%PDF-1.7\nAAA-1', /PDF/],
  ])('that is %s is refused by what it is', async (_, content, text) => {
    const { code, msg } = await refused(send(content));
    expect([code, msg.access_tokens_file]).toEqual(['bad_file', [expect.stringMatching(text)]]);
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['values in formulas', lines('="00123458"', '="00123459"'), ['00123458', '00123459']],
    ['quoted values in formulas', lines('"=""00123458"""', '"=""00123459"""'), ['00123458', '00123459']],
    [
      'a line that names the delimiter',
      lines('sep=;', 'QW8-ER7-AAA;Ann', 'AS5-DF4-BBB;Bob'),
      ['QW8-ER7-AAA', 'AS5-DF4-BBB'],
    ],
    ['a rare delimiter', lines('sep=|', 'Code|Name', 'QW8-ER7|Ann', 'AS5-DF4|Bob'), ['QW8-ER7', 'AS5-DF4']],
    ['a heading', lines('Access code,Name', 'QW8-ER7-TY6,Ann', 'AS5-DF4-GH3,Bob'), ['QW8-ER7-TY6', 'AS5-DF4-GH3']],
    [
      'a heading and nothing else',
      lines('Ticket number', 'A7K2-99QX-1111', 'B8L3-00RY-2222'),
      ['A7K2-99QX-1111', 'B8L3-00RY-2222'],
    ],
    [
      'an English export',
      lines('Order #,Attendee name,Barcode #', '10023456,Ann,8712345678920', '10023457,Bob,8712345678937'),
      ['8712345678920', '8712345678937'],
    ],
    [
      'a Dutch export',
      lines('Bestelnummer;Naam;E-mailadres;Streepjescode', '10023456;Ann;a@b.nl;8712345678920'),
      ['8712345678920'],
    ],
    ['a German export', lines('Bestellnummer;Kartennummer;Zugangscode', '10023456;99887766;QX7-P2'), ['QX7-P2']],
    [
      'a French export',
      lines('Numéro de commande;Nom;N° de billet;Code-barres', '10023456;Ann;5544;8712345678920'),
      ['8712345678920'],
    ],
    ['codes among other cells', lines('Ann,A1B2C3D4,12.50', 'Bob,F6G7H8J9,12.50'), ['A1B2C3D4', 'F6G7H8J9']],
  ])('with %s is read', async (_, content, tokens) => {
    const tried = await send(content, { dry_run: true });
    expect(await stored()).toEqual([]);
    const report = await send(content);
    expect(report.table!.rows[0]!.cells.length).toBeGreaterThan(0);
    expect([report.table!.column, report.accepted]).toEqual([tried.table!.column, tokens.length]);
    expect(await stored()).toEqual(tokens);
  });

  it.each([
    ['two columns that may be tokens', lines('10023456,8712345678920', '10023457,8712345678937'), ['column']],
    ['column names that are not known', lines('Foo,Bar', 'A1B2C3,Z9Y8X7', 'A1B2C4,Z9Y8X6'), ['column', 'heading']],
    ['a heading without a known column of tokens', lines('Order #,Name', '10023456,Ann'), ['column']],
    ['a heading in another language', lines('Código de acceso', 'QW8-ER7-TY6', 'AS5-DF4-GH3'), ['heading']],
    ['a first line unlike the others', lines('Eintritt', 'QW8ER7', 'AS5DF4'), ['heading']],
    ['a name that is no heading of tokens', lines('Name', 'QW8ER7'), ['heading']],
  ])('with %s is asked about, with its first rows', async (_, content, fields) => {
    const { status, body } = await api.call(
      calls.accessTokens.importFile,
      { id: endpoint },
      { form: formWith(content), token: api.one.admin.token },
    );
    expect([status, body.code, Object.keys(body.msg)]).toEqual([422, 'unclear_table', fields]);
    const rows = content.trim().split('\r\n');
    expect(
      body.table.rows.map(({ cells }: { cells: string[] }) => cells.join(content.includes(';') ? ';' : ',')),
    ).toEqual(rows);
    expect(await stored()).toEqual([]);
    expect(await client.accessTokens.readTable({ files: csv(content) })).toEqual(body.table);
    const onStructure = await refused(
      client.endpoints.update({ params: { id: endpoint }, body: {}, files: csv(content) }),
    );
    expect(onStructure.code).toBe('unclear_table');
    expect(await stored()).toEqual([]);
  });

  const formWith = (content: string) => {
    const form = new FormData();
    form.append('access_tokens_file', csv(content).access_tokens_file);
    return form;
  };

  it('is read as somebody says: by number, by name, with and without heading', async () => {
    const content = lines('Order,Reference', '10023456,ABC-1', '10023457,ABC-2');
    expect((await refused(send(content))).code).toBe('unclear_table');
    expect(await send(content, { column: '2', heading: true })).toMatchObject({ accepted: 2 });
    expect(await stored()).toEqual(['ABC-1', 'ABC-2']);
    expect(await send(content, { column: 'reference' })).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(await send(content, { column: '1', heading: false })).toMatchObject({ accepted: 3 });
    expect(await stored()).toEqual(['ABC-1', 'ABC-2', 'Order', '10023456', '10023457']);
    for (const column of ['7', 'Barcode']) {
      const { code, msg } = await refused(send(content, { column }));
      expect([code, msg.column]).toEqual(['invalid', [expect.stringContaining(column)]]);
    }
    const body = { access_tokens_column: '2', access_tokens_heading: true };
    const other = lines('Order,Reference', '1,XYZ-1');
    const { report } = await client.endpoints.update({ params: { id: endpoint }, body, files: csv(other) });
    expect(report).toMatchObject({ accepted: 1, table: { column: 2, heading: true } });
  });

  it('is stored in the normal form of its tokens, and says of which lines that changed', async () => {
    const report = await send(
      lines(
        'PLAIN-CODE-000',
        'NBSP-CODE-001\u00a0',
        'ZWSP-CODE-002\u200b',
        'SHY\u00ad-CODE-004',
        'Caf\u0065\u0301-005',
        'NBH\u2011CODE\u2011006',
      ),
      { column: '1', heading: false },
    );
    expect(report).toMatchObject({ accepted: 6, normalized: 5, normalized_lines: [2, 3, 4, 5, 6] });
    expect(await stored()).toEqual([
      'PLAIN-CODE-000',
      'NBSP-CODE-001',
      'ZWSP-CODE-002',
      'SHY-CODE-004',
      'Café-005',
      'NBH-CODE-006',
    ]);
    for (const entered of [
      'NBSP-CODE-001',
      ' \u200bNBSP\u2013CODE\u2013001\u00a0',
      'Cafe\u0301-005',
      'NBH\u2011CODE\u2011006',
    ])
      expect([entered, await enters(entered)]).toEqual([entered, true]);
    expect(await enters('nbsp-code-001')).toBe(false);
    const again = await send(lines('NBSP\u2014CODE-001'), { column: '1', heading: false });
    expect(again).toMatchObject({ accepted: 0, duplicates: 1 });
  });

  it('has company: a single token and a list of JSON are normalized and refused alike', async () => {
    const body = { endpoint_id: endpoint };
    const { token } = await client.accessTokens.create({ body: { ...body, token: 'one\u2011of\u00adfive\u00a0' } });
    expect(token).toBe('one-offive');
    for (const wrong of ['7,7E+17', '#REF!', 'null', '\u200b'])
      expect((await refused(client.accessTokens.create({ body: { ...body, token: wrong } }))).msg).toHaveProperty(
        'token',
      );
    const report = await send(JSON.stringify([{ token: 'two\u2011of' }, { token: 'plain' }]));
    expect(report).toMatchObject({ accepted: 2, normalized: 1, table: null });
    const { msg } = await refused(send('[{"token": "8.7E+12"}]'));
    expect(msg.access_tokens_file).toEqual([expect.stringContaining('Line 1, token:')]);
  });

  it('does not add what is there in an older form, which opens as before', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const row = { organization_id: api.one.id, endpoint_id: endpoint, created_at: at, updated_at: at };
    const none = { valid_from: null, valid_till: null, valid_duration: null, first_used_at: null };
    await api.services.db
      .insertInto('access_tokens')
      .values({ ...row, ...none, token: 'old\u2011form\u00adx', normal: 'old-formx' })
      .execute();
    for (const entered of ['old\u2011form\u00adx', 'old-formx', 'old\u2013formx '])
      expect(await enters(entered)).toBe(true);
    expect(await send('old-formx\nnew-form\n')).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await send('[{"token": "old-formx", "valid_duration": 30}]')).toMatchObject({ accepted: 0, updated: 1 });
    expect(
      (await refused(client.accessTokens.create({ body: { endpoint_id: endpoint, token: 'old-formx' } }))).code,
    ).toBe('invalid');
    expect(await stored()).toEqual(['old\u2011form\u00adx', 'new-form']);
    expect(await client.endpoints.exportTokens({ params: { id: endpoint } })).toContain('old\u2011form\u00adx');
  });
});
