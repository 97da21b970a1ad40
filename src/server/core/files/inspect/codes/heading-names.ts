import type { COLUMN_ROLES } from '../../../../../contract/entities.ts';

type Role = (typeof COLUMN_ROLES)[number];

/** Normalizes a column name: no case, accents or punctuation, and one word for all words meaning "number". */
export const foldedName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/#/g, ' number ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/\b(?:n|nb|nr|no|num|numero|nummer)\b/g, 'number');

const matcher = (...alternatives: string[]) => new RegExp(`^(?:${alternatives.join('|')})$`);

const OF_TICKET = '(?:(?:e ?)?ticket|billet|kaart|karten|badge|attendee|guest|deelnemer|teilnehmer|participant)';

/**
 * Names of token columns in English, Dutch, German and French, by priority: in an export with a barcode and a ticket
 * number, the barcode is the one that is scanned.
 */
const TOKEN_NAMES: readonly RegExp[] = [
  matcher(
    `(?:${OF_TICKET} ?)?(?:bar ?codes?|streepjescodes?|strichcodes?|qr ?codes?|qr|scan ?codes?)(?: (?:number|value|text|data|waarde|wert|inhalt))*`,
    'codes? (?:a )?barres?(?: (?:du |de )?(?:billet|ticket))?',
    'codes? qr(?: (?:du |de )?(?:billet|ticket))?',
  ),
  matcher(
    '(?:access|entry|entrance|admission|check ?in|ticket|attendee|guest|unique|redemption|validation|security|personal) ?(?:codes?|tokens?|keys?|pins?|secrets?)',
    'tokens?',
    'secrets?',
    'pins?',
    'pin ?codes?',
    '(?:toegangs|entree|ticket|kaart|unieke|persoonlijke|inlog) ?(?:codes?|tokens?|sleutels?)',
    '(?:zugangs|einlass|eintritts|zutritts|ticket|karten|teilnehmer|personlicher) ?(?:codes?|tokens?|schlussel)',
    'codes? (?:d (?:acces|entree)|(?:du |de )?(?:billet|ticket|validation)|unique|personnel)',
    'jetons?(?: d acces)?',
  ),
  matcher(
    '(?:e ?)?tickets? ?(?:numbers?|id|reference|ref|serial)',
    '(?:kaart|karten|eintrittskarten|(?:e ?)?ticket|toegangskaart) ?number',
    '(?:(?:e ?)?ticket|kaart|karten|eintrittskarten|toegangskaart)(?:number|nummer)s?',
    'number (?:de |du )?(?:billet|ticket)',
    'reference (?:de |du )?(?:billet|ticket)',
    '(?:vouchers?|coupons?|gutscheine?|bons?)(?: ?(?:codes?|number))?',
    'gutschein(?:code|nummer)s?',
    'codes? (?:bon|promo|coupon)',
    'serial number',
    'serienummer',
    'seriennummer',
    'number de serie',
  ),
  matcher('codes?'),
];

const PERSON =
  '(?:attendee|ticket holder|token holder|holder|guest|participant|visitor|customer|buyer|purchaser|contact|bezoeker|deelnemer|gast|houder|koper|klant|teilnehmer|besucher|inhaber|kaufer|kunde|titulaire|visiteur|acheteur|client)';

const TICKET = '(?:ticket|billet|kaart|karten|guest|gast|gasten|attendee)';

const NAMES: readonly (readonly [Exclude<Role, 'token'>, RegExp])[] = [
  [
    'first_name',
    matcher(`(?:${PERSON} ?)?(?:first ?name|given ?name|voornaam|vorname)`, `prenom(?: (?:du |de l )?${PERSON})?`),
  ],
  [
    'last_name',
    matcher(`(?:${PERSON} ?)?(?:last ?name|sur ?name|family ?name|achternaam|nachname|familienname)`, 'nom de famille'),
  ],
  [
    'email',
    matcher(
      `(?:${PERSON} ?)?(?:e ?)?mail ?(?:address|adres|adresse)?`,
      `(?:adresse )?(?:e ?mail|mail|courriel|electronique)(?: (?:du |de l )?${PERSON})?`,
      'holder e ?mail',
    ),
  ],
  [
    'name',
    matcher(
      `(?:${PERSON} ?)?(?:full ?)?(?:name|naam)`,
      '(?:volledige naam|vollstandiger name|nom complet|nom et prenom|nom|assigned to)',
      `nom (?:du |de l )?${PERSON}`,
      PERSON,
    ),
  ],
  [
    'group',
    matcher(
      `(?:${TICKET} ?)?(?:group|groep|gruppe|groupe|category|categorie|kategorie)(?: (?:name|naam))?`,
      `${TICKET} ?(?:type|soort|art|class)`,
      'type de billet',
    ),
  ],
  [
    'note',
    matcher(
      `(?:${TICKET} ?)?(?:notes?|comments?|remarks?|notitie|notities|opmerking|opmerkingen|notiz|notizen|bemerkung|bemerkungen|kommentar)`,
      'remarques?|commentaires?',
    ),
  ],
];

/** Other common column names of exports, which identify a line as a heading. */
const OTHERS = matcher(
  '(?:order|booking|invoice|transaction|purchase|reservation|payment|registration|confirmation|customer|event) ?(?:number|id|code|date|time|reference|ref|status|total|type)?',
  '(?:bestel|bestell|auftrags|rechnungs|buchungs|factuur|boekings|reserverings|kunden|klant|order) ?(?:number|nummer|nr|code|datum|id|status)',
  '(?:bestelling|bestellung|auftrag|boeking|buchung|commande|reservation|reservering)(?: number)?',
  'number (?:de |du )?(?:commande|reservation|client|facture)',
  'id|number|reference|ref|title|path|room|description|template|is active|type|status|state|etat|zustand',
  'valid (?:from|till|until|duration)|(?:first |last )?used at|(?:first|last) used|(?:created|updated|added)(?: at| on)?|duration|width|height|depth',
  'date|datum|time|tijd|zeit|heure|price|prijs|preis|prix|amount|bedrag|betrag|montant|total|totaal|quantity|aantal|anzahl|quantite',
  '(?:ticket|kaart|karten|billet) ?(?:type|name|soort|art|class|category|status|price)|type de billet|tarif|tarief',
  'event(?: name)?|evenement|veranstaltung|venue|location|locatie|ort|lieu|seat|row|section|stoel|rij|sitz|platz|reihe|siege|rang',
  'phone(?: number)?|mobile|telefoon|telefon|telephone|company|bedrijf|firma|organisation|organization|societe|city|stad|stadt|ville|country|land|pays',
);

/** Rank of a token column name, 0 for best; null for other names. */
export function tokenRank(name: string): number | null {
  const folded = foldedName(name);
  const rank = TOKEN_NAMES.findIndex((names) => names.test(folded));
  return rank < 0 ? null : rank;
}

/** Role of a column by its name; null if unknown. */
export function roleOf(name: string): Role | null {
  if (tokenRank(name) !== null) return 'token';
  const folded = foldedName(name);
  return NAMES.find(([, names]) => names.test(folded))?.[0] ?? null;
}

/** Whether a text is a known column name. */
export const isColumnName = (name: string): boolean => roleOf(name) !== null || OTHERS.test(foldedName(name));

/** Whether a name refers to the buyer, who may not be the holder. */
export const isBuyer = (name: string): boolean =>
  /\b(?:customer|buyer|purchaser|contact|koper|klant|kaufer|kunde|acheteur|client|order)\b/.test(foldedName(name));

/** Words for totals, and words around them; without accents. */
const SUMS = new Set(
  'total totals totaal subtotaal eindtotaal summe summen gesamt gesamtsumme gesamtzahl gesamtanzahl zwischensumme endsumme somme sommes sous-total sum som count aantal anzahl nombre'.split(
    ' ',
  ),
);
const COUNTABLE = new Set(
  'general ticket tickets code codes token tokens billet billets karten kaarten row rows aantal anzahl number items'.split(
    ' ',
  ),
);
const SCOPE = /^(?:grand|sub|general|overall)-?/;

/** Whether a cell contains a total, such as "Grand total: 1,024 tickets". */
function namesSum(cell: string): boolean {
  const folded = cell.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  const words = folded.split(/[\s:=()]/).filter(Boolean);
  const scoped = words[0]?.replace(SCOPE, '') === '' ? words.slice(1) : words;
  const [first = '', ...rest] = scoped;
  if (!SUMS.has(first) && !SUMS.has(first.replace(SCOPE, ''))) return false;
  const isLink = (word: string | undefined) => word === 'of' || word === 'de';
  return rest.every(
    (word, index) => isLink(word) || isLink(rest[index - 1]) || COUNTABLE.has(word) || /^[\d.,]+$/.test(word),
  );
}

const COUNTED =
  /^\s*[\d.,]+ (?:tickets?|codes?|tokens?|barcodes?|billets?|karten|kaarten|rows?|rijen|zeilen|lignes?|records?|items?|attendees?)\s*$/i;

/** Whether a cell is the total at the end of an export. */
export const isTotal = (cell: string): boolean => namesSum(cell) || COUNTED.test(cell);
