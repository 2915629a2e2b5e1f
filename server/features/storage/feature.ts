import type { Feature } from '../feature.ts'
import { markFilesForDeletion, storageJobs, storageSweep } from './cleaning.ts'

export const storage: Feature = {
  name: 'storage',
  open: ({ db, log, files: { owned }, hooks }) => {
    const deps = { db, log, owned }
    hooks.userDeletion.push(({ id }) => markFilesForDeletion(deps, id))
    return { jobs: storageJobs(deps), sweeps: [storageSweep(deps)] }
  },
}
