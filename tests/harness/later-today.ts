/**
 * Fields of a timed structure that opens later today, whatever the hour is.
 * @param now the server's time
 */
export const laterToday = (now: Date) => ({
  is_timed: true,
  show_countdown: true,
  start_time: '23:59',
  // Past 23:00 UTC, a zone in which that hour is 22.
  start_time_utc_offset: now.getUTCHours() === 23 ? 60 : 0,
});
