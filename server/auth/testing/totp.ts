import { createHmac } from 'node:crypto'
import { authFactorsApi } from '#contract/auth-factors.ts'
import type { Visitor } from '#server/testing/visitor.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

/** The next TOTP code (RFC 6238): already accepted, and it does not expire while a test waits. */
export function codeOf(key: string, ahead = 1, now = Date.now()): string {
  const bits = [...key].map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / STEP_MS) + ahead))
  const digest = createHmac('sha1', bytes).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export async function turnOnTotp(visitor: Visitor): Promise<{ key: string; backupCodes: string[] }> {
  const { key, backupCodes } = await visitor.call(authFactorsApi.enableTotp, {})
  await visitor.call(authFactorsApi.verifyTotp, { body: { code: codeOf(key, 0) } })
  return { key, backupCodes }
}
