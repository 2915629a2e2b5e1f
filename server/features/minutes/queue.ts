import { minutes } from '#server/db/schema.ts'
import { crashesOf, createQueue, type Queue } from '#server/instances/queue.ts'
import { type MinutesDeps, writeMeetingDocument } from './work.ts'

export const createMinutesQueue = (deps: MinutesDeps): Queue =>
  createQueue(deps, {
    name: 'minutes',
    columns: minutes,
    limit: 4,
    claim: (isNext, values) =>
      deps.db
        .update(minutes)
        .set({ ...values, crashes: crashesOf(minutes) })
        .where(isNext)
        .returning(),
    idOf: ({ id }) => id,
    work: (row, signal) => writeMeetingDocument(deps, row, signal),
  })
