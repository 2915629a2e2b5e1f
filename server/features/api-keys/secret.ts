import { createHmac } from 'node:crypto'
import { keyFor } from '#server/lib/secrets.ts'

/** Imports nothing of the server: benches and drills make keys too. */

export const KEY_PREFIX = 'sym-'

export const apiKeySecret = (secret: string) => keyFor(secret, 'API keys')

export const hashApiKey = (keySecret: Buffer, key: string) =>
  createHmac('sha256', keySecret).update(key).digest('base64url')
