const PATHS = {
  back: 'M15 5l-7 7 7 7',
  up: 'M12 19V6M6 11l6-6 6 6',
  down: 'M12 5v13M6 13l6 6 6-6',
  left: 'M19 12H6M11 6l-6 6 6 6',
  right: 'M5 12h13M13 6l6 6-6 6',
  turnLeft: 'M4 9.5c0 3 3.6 5.5 8 5.5s8-2.5 8-5.5M1.5 12.2L4 9l3.4 2.2M12 4v5',
  turnRight: 'M20 9.5c0 3-3.6 5.5-8 5.5s-8-2.5-8-5.5M22.5 12.2L20 9l-3.4 2.2M12 4v5',
  joystick: 'M12 4.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 10.5V15M6 19.5c0-2.5 2.7-4.5 6-4.5s6 2 6 4.5z',
  collapse: 'M7 9.5l5 5 5-5',
  fullScreen: 'M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15',
  leaveFullScreen: 'M9 4.5V9H4.5M19.5 9H15V4.5M15 19.5V15h4.5M4.5 15H9v4.5',
  people:
    'M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3.5 19c0-3 2.5-5 5.5-5s5.5 2 5.5 5M15.5 5.4a3 3 0 0 1 0 5.2M17.5 14.4c1.9.8 3 2.5 3 4.6',
  previous: 'M14 6l-6 6 6 6',
  next: 'M10 6l6 6-6 6',
  reset: 'M4 12a8 8 0 1 0 3-6.2M4 4v4.5h4.5',
  plan: 'M4 6.5l5.3-2 5.4 2 5.3-2v13l-5.3 2-5.4-2-5.3 2zM9.3 4.5v13M14.7 6.5v13',
  turning: 'M4 12c0-2.2 3.6-4 8-4s8 1.8 8 4-3.6 4-8 4H8.5M11.5 12.8L8.2 16l3.3 3.2',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  muted: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9.5l5 5M20.5 9.5l-5 5',
  subtitles: 'M3.5 6h17v12h-17zM6.5 11.5h4M13 11.5h4.5M6.5 14.8h6.5M15.5 14.8h2',
  audioDescription: 'M3 17L7 7l4 10M4.4 13.5h5.2M13.5 7v10h2a5 5 0 0 0 0-10zM21 7.5a9 9 0 0 1 0 9',
  texts: 'M6 3.5h9l4 4v13H6zM14.5 3.5V8H19M9 12h7M9 16h7',
  language: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c5 5 5 12 0 17-5-5-5-12 0-17z',
  more: 'M5 11.5v1M12 11.5v1M19 11.5v1',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5.5v13M5.5 12h13',
  minus: 'M5.5 12h13',
  enlarge: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5M10.5 8v5M8 10.5h5',
  sign: 'M3 22V2h18v20M7 20.5V6h10v14.5M10 19.4V9h4v10.4',
} as const;

/** Icons along the reading direction; those of the room's left and right are not. */
const DIRECTIONAL = new Set(['back', 'previous', 'next']);

/** 24 × 24 line icon. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      aria-hidden="true"
      data-directional={DIRECTIONAL.has(name) || undefined}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
