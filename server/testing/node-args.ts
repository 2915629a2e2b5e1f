import { inject } from 'vitest'

const programs = {
  server: 'server/main.ts',
  archive: 'server/archive/main.ts',
  migrate: 'server/migrate.ts',
  reconcile: 'server/reconcile.ts',
  'audit-verify': 'server/audit-verify.ts',
}

/** Skips the optimising compiler of V8: for a database that runs for seconds it costs more than it gains. */
const QUICK = '--liftoff-only'

/** The arguments of node to start one of our programs: the build when `npm test` has made it, else the sources. */
export const nodeArgs = (program: keyof typeof programs, ...flags: string[]): string[] =>
  inject('isBuilt') ? [QUICK, ...flags, `dist/${program}.js`] : ['--import', 'tsx', QUICK, ...flags, programs[program]]
