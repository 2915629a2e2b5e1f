/**
 * Flags of Node for the server (docs/decisions/095): a small young generation, and an old one that is collected when
 * it has doubled, not when it is four times as large. `npm start` and the image name the same ones.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=2', '--max-old-space-size=2000']
