import { inject } from 'vitest'

const programs = {
  server: 'server/main.ts',
  archive: 'server/archive/main.ts',
  migrate: 'server/migrate.ts',
}

/** An embedded database that lives for seconds pays more for the second compilation of its code than it gains by it. */
const QUICK = '--liftoff-only'

/** What starts a program of ours in a process: the build when `npm test` has made it, else the sources. */
export const nodeArgs = (program: keyof typeof programs, ...flags: string[]): string[] =>
  inject('isBuilt') ? [QUICK, ...flags, `dist/${program}.js`] : ['--import', 'tsx', QUICK, ...flags, programs[program]]
