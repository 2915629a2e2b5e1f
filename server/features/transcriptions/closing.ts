/** Why work is broken off when the server stops: the recording goes back to where it waited. */
export const CLOSING = new Error('the server stops')
