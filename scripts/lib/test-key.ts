import { randomBytes } from 'node:crypto'
import { KEY_PREFIX } from '#server/features/api-keys/secret.ts'

/** A key for benches and drills: hexadecimal digits have fewer bits than the keys of people. */
export const newTestKey = () => KEY_PREFIX + randomBytes(32).toString('hex').slice(0, 43)
