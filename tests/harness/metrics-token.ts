/** With which tests read the measures of servers. */
export const METRICS_TOKEN = 'a token of sixteen signs';
export const METRICS_HEADERS = { authorization: `Bearer ${METRICS_TOKEN}` };
