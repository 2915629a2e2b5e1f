import { StartError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import type { Database } from './client.ts'

export interface ClockSkew {
  /** How far the database's clock is ahead of ours; negative when it is behind. */
  skewMs: number
  /** Half of the round trip: the accuracy of the measurement. */
  errorMs: number
  databaseTime: Date
  ourTime: Date
}

const SAMPLES = 5
const WARN_MS = 1000
const REFUSE_MS = 5000

/** Measures several times and uses the fastest round trip. */
export async function measureSkew(
  execute: Database['execute'],
  now: () => number = Date.now,
  samples = SAMPLES,
): Promise<ClockSkew> {
  let best: ClockSkew | null = null
  for (let i = 0; i < samples; i++) {
    const [startedAt, since] = [now(), performance.now()]
    const { rows } = await execute('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms')
    const errorMs = (performance.now() - since) / 2
    const databaseMs = (rows[0] as { ms: number }).ms
    const ourMs = startedAt + errorMs
    if (best && best.errorMs <= errorMs) continue
    best = { skewMs: databaseMs - ourMs, errorMs, databaseTime: new Date(databaseMs), ourTime: new Date(ourMs) }
  }
  return best as ClockSkew
}

export async function isClockOff(execute: Database['execute'], log: Pick<Log, 'error'>): Promise<boolean> {
  const { skewMs, errorMs } = await measureSkew(execute, Date.now, 1)
  const isOff = Math.abs(skewMs) - errorMs > REFUSE_MS
  if (isOff) log.error({ skewMs: Math.round(skewMs) }, 'clock: this server and the database differ, check NTP')
  return isOff
}

/** Leases and expiry depend on the clock: a difference of seconds would end the work of other instances. */
export async function checkClock(
  execute: Database['execute'],
  log: Pick<Log, 'warn'>,
  now: () => number = Date.now,
): Promise<void> {
  const skew = await measureSkew(execute, now)
  const certainMs = Math.abs(skew.skewMs) - skew.errorMs
  if (certainMs > REFUSE_MS) {
    throw new StartError(
      `Часы этого сервера и базы данных расходятся на ${(Math.abs(skew.skewMs) / 1000).toFixed(1)} с: ` +
        `здесь ${skew.ourTime.toISOString()}, в базе ${skew.databaseTime.toISOString()}. ` +
        'Включите синхронизацию времени (NTP: chrony или systemd-timesyncd) на обеих машинах и запустите сервер снова.',
    )
  }
  if (certainMs > WARN_MS) log.warn({ skewMs: Math.round(skew.skewMs) }, 'clock: this server and the database differ')
}
