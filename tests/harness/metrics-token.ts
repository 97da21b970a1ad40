/** Token with which tests read the servers' metrics. */
export const METRICS_TOKEN = 'a token of sixteen signs';
export const METRICS_HEADERS = { authorization: `Bearer ${METRICS_TOKEN}` };
