import { createHmac, randomInt } from 'node:crypto'

const HINT = 4
/** Without 0 and O, 1 and I and L: a code can be read aloud. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const RANDOM_LENGTH = 12

/** A code as it is compared: case does not matter, letters of different alphabets stay different. */
export function normalised(code: string): string {
  return code.normalize('NFC').trim().toUpperCase()
}

/** What a code is known again by; without the key nobody can try codes against it. */
export function hashOf(promoKey: Buffer, code: string): string {
  return createHmac('sha256', promoKey).update(normalised(code)).digest('hex')
}

/** The last characters, and never more than half of the code. */
export function hintOf(code: string): string {
  const emails = [...normalised(code)]
  return emails.slice(-Math.min(HINT, Math.floor(emails.length / 2))).join('')
}

export function randomCode(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return normalised(prefix) + random.join('')
}
