import { createHmac, randomBytes } from 'node:crypto'
import { keyFor } from '#server/lib/secrets.ts'

/** Imports nothing of the server: benches and drills make keys too. */

export const KEY_PREFIX = 'sym-'

export const apiKeySecret = (secret: string) => keyFor(secret, 'API keys')

export const hashApiKey = (keySecret: Buffer, key: string) =>
  createHmac('sha256', keySecret).update(key).digest('base64url')

/** A key for measurements: hexadecimal digits have fewer bits than the keys of people. */
export const newTestKey = () => KEY_PREFIX + randomBytes(32).toString('hex').slice(0, 43)
