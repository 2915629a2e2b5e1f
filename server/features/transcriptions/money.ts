import { and, eq } from 'drizzle-orm'
import { recordingPrice } from '#contract/transcriptions.ts'
import { transcriptions } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { extend, hold } from '../billing/ledger.ts'
import type { ModelRow } from '../models/models.ts'
import type { Row } from './rows.ts'
import type { HearingWorld } from './world.ts'

/** Speech is hardly ever recorded with fewer bits a second; a recording that hides its length is held at this. */
const LEAST_BITS_A_SECOND = 24_000

/** The most a recording may turn out to last: what is known, or what so many bytes can hold. */
export function mostSeconds({ durationMs, bytes }: Pick<Row, 'durationMs' | 'bytes'>): number {
  return durationMs === null ? (bytes * 8) / LEAST_BITS_A_SECOND : durationMs / 1000
}

export interface Promised {
  key: string
  symbols: number
}

/** Promises the price before the work begins. A promise of a former try that still stands is taken over. */
export async function promise({ db }: HearingWorld, row: Row, model: ModelRow): Promise<Promised> {
  const symbols = recordingPrice(mostSeconds(row), model.minutePrice ?? 0)
  if (row.hold && (await extend(db, row.hold, symbols)) === 'held') return { key: row.hold, symbols }
  const key = `transcription:${row.id}:${newId()}`
  await db.transaction(async (tx) => {
    // The row before the balance, as everywhere here: two who lock both never wait for each other.
    await tx
      .update(transcriptions)
      .set({ hold: key })
      .where(and(eq(transcriptions.id, row.id), eq(transcriptions.tries, row.tries)))
    const outcome = await hold(tx, { key, userId: row.userId, kind: 'transcription', symbols })
    if (outcome === 'held') return
    if (outcome === 'cap')
      throw new AppError(
        'out_of_symbols',
        'Достигнут ваш дневной предел. Измените его в профиле или подождите до завтра.',
      )
    throw new AppError('out_of_symbols', `На эту запись не хватает символов: нужно ${symbols.toLocaleString('ru-RU')}.`)
  })
  return { key, symbols }
}
