import { inject } from 'vitest'

/**
 * How many examples of a property are tried. `npm test` tries all of them on Postgres, where connections race; of what
 * also runs on the embedded database, with one connection and the same rules, it then takes the first quarter.
 */
export const propertyRuns = (all: number): number =>
  'file' in inject('snapshot') && inject('isAlsoOnPostgres') ? Math.ceil(all / 4) : all
