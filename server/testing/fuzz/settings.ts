/**
 * `npm run fuzz` sets both; `npm test` sends the same few requests each time. A failure names the seed to repeat it.
 */
export const fuzzSettings = () => ({
  requests: Number(process.env.FUZZ_REQUESTS) || 1500,
  seed: Number(process.env.FUZZ_SEED) || 1,
  /** Tests that walk over all calls take their time. */
  isLong: process.env.FUZZ_REQUESTS !== undefined,
})
