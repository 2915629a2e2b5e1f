import { createECDH, createHmac } from 'node:crypto'
import type { WordsKey } from '#contract/users.ts'

/**
 * The key pair of a user, always the same, derived from the installation's secret and stored nowhere. Browsers seal
 * unsent words with its public half when a session ends (docs/decisions/054).
 */
export function wordsKeyOf(wordsKey: Buffer, userId: string): WordsKey {
  const pair = createECDH('prime256v1')
  // One in four billion values is no private key on this curve; then the next one is taken.
  for (let attempt = 0; ; attempt++) {
    const d = createHmac('sha256', wordsKey).update(`${attempt} ${userId}`).digest()
    try {
      pair.setPrivateKey(d)
    } catch {
      continue
    }
    const point = pair.getPublicKey()
    const [x, y] = [point.subarray(1, 33), point.subarray(33)]
    return { x: x.toString('base64url'), y: y.toString('base64url'), d: d.toString('base64url') }
  }
}
