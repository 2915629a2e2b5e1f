/** Arguments of node that start the real server: the build when `npm test` has made it, else the sources. */
export const serverCommand = (...flags: string[]) =>
  process.env.TEST_BUILD === '1' ? [...flags, 'dist/server.js'] : ['--import', 'tsx', ...flags, 'server/main.ts']
