import type { Element } from '../../../engine/document/element.ts';
import { roomLanguage } from '../parts/room-language.ts';
import { say } from '../texts/say-all.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';
import { type Described, describedAt, describedOf } from './described.ts';
import styles from './long-texts.module.css';

/** A text in paragraphs, with the line breaks of its author. */
const Words = ({ text }: { text: string }) => (
  <p className={styles.words} lang={roomLanguage()} dir="auto">
    {text}
  </p>
);

/** The texts of one element, one below the other. */
function Texts({ described: { description, transcript } }: { described: Described }) {
  return (
    <>
      {description && <Words text={description} />}
      {description && transcript && <h3>{say('transcript')}</h3>}
      {transcript && <Words text={transcript} />}
    </>
  );
}

/** The detailed description and transcript of an element, or a list of all at the visitor's place to open one by one. */
export function LongTexts({
  element,
  room,
  place,
  now,
}: {
  element: Element | null;
  room: VisitedRoom;
  /** ID of the current view point; null for none. */
  place: number | null;
  /** The server's clock in seconds since 1970. */
  now: number;
}) {
  const one = element && describedOf(element);
  if (one) return <Texts described={one} />;
  return describedAt(room, place, now).map((described) => (
    <details key={described.id} className={styles.one}>
      {described.name ? (
        <summary lang={roomLanguage()} dir="auto">
          {described.name}
        </summary>
      ) : (
        <summary>{say(described.description ? 'description' : 'transcript')}</summary>
      )}
      <Texts described={described} />
    </details>
  ));
}
