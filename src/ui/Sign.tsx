/** Logo: three nested door frames. */
export function Sign({ size = 24 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 64 64"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="3.5"
      aria-hidden="true"
    >
      <path d="M6 60V4h52v56M17 56V14h30v42M25 53V22h14v31" strokeLinejoin="round" />
    </svg>
  );
}
