import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const builtFolders = [here, dirname(here)]

/** Also takes threads of a build elsewhere, as tests do: loading tsx takes each thread half a second. */
export const addBuiltFolder = (folder: string) => builtFolders.push(folder)

/**
 * What a worker thread runs. In dist it is a file of its own; from the sources it is TypeScript, and the thread has to
 * load tsx first.
 */
export function workerSource(name: string, sources: URL): { source: string | URL; isCode: boolean } {
  const built = builtFolders.map((folder) => join(folder, `${name}.js`)).find((path) => existsSync(path))
  if (built) return { source: pathToFileURL(built), isCode: false }
  const load = `return import(${JSON.stringify(sources.href)})`
  return { source: `import('tsx/esm/api').then(({ register }) => { register(); ${load} })`, isCode: true }
}
