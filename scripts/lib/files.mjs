import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every file below a folder; none for a folder that is not there. */
export function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
