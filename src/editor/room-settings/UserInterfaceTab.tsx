import { RoomLink } from './RoomLink.tsx';

/** The links in the corners of the room. */
export function UserInterfaceTab() {
  return (
    <>
      <RoomLink name="top_left_link" label="Top left link" />
      <RoomLink name="top_right_link" label="Top right link" />
      <RoomLink name="bottom_left_link" label="Bottom left link" />
      <RoomLink name="bottom_right_link" label="Bottom right link" />
    </>
  );
}
