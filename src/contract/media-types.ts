export const ARROW_STREAM = 'application/vnd.apache.arrow.stream';
export const NDJSON = 'application/x-ndjson';
