import { inject } from 'vitest'

const programs = {
  server: 'server/main.ts',
  archive: 'server/archive/main.ts',
  migrate: 'server/migrate.ts',
}

/** What starts a program of ours in a process: the build when `npm test` has made it, else the sources. */
export const nodeArgs = (program: keyof typeof programs, ...flags: string[]): string[] =>
  inject('isBuilt') ? [...flags, `dist/${program}.js`] : ['--import', 'tsx', ...flags, programs[program]]
