/**
 * Sealed boxes: anyone with the public key can close one, only the owner of the private key can open it. A key pair for
 * one use, ECDH on P-256, HKDF, AES-GCM.
 */

export interface PublicKey {
  x: string
  y: string
}

export interface Box {
  /** The public key of the pair that was used once. */
  key: ArrayBuffer
  iv: Uint8Array<ArrayBuffer>
  data: ArrayBuffer
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const

const jwk = (key: object): JsonWebKey => ({ kty: 'EC', crv: 'P-256', ...key })

export async function seal(to: PublicKey, bytes: Uint8Array<ArrayBuffer>): Promise<Box> {
  const { subtle } = crypto
  const once = await subtle.generateKey(CURVE, false, ['deriveBits'])
  const publicKey = await subtle.importKey('jwk', jwk({ x: to.x, y: to.y }), CURVE, false, [])
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const key = await sharedKey(once.privateKey, publicKey, 'encrypt')
  return {
    key: await subtle.exportKey('raw', once.publicKey),
    iv,
    data: await subtle.encrypt({ name: 'AES-GCM', iv }, key, bytes),
  }
}

/** Rejects when the box was sealed for another key or has been changed. */
export async function open(
  privateKey: PublicKey & { d: string },
  { key, iv, data }: Box,
): Promise<Uint8Array<ArrayBuffer>> {
  const { subtle } = crypto
  const own = await subtle.importKey('jwk', jwk(privateKey), CURVE, false, ['deriveBits'])
  const theirs = await subtle.importKey('raw', key, CURVE, false, [])
  return new Uint8Array(await subtle.decrypt({ name: 'AES-GCM', iv }, await sharedKey(own, theirs, 'decrypt'), data))
}

async function sharedKey(own: CryptoKey, theirs: CryptoKey, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  const { subtle } = crypto
  const bits = await subtle.deriveBits({ name: 'ECDH', public: theirs }, own, 256)
  const secret = await subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode('unsent words')
  const from = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  return subtle.deriveKey(from, secret, { name: 'AES-GCM', length: 256 }, false, [use])
}

/** What boxes are stored under instead of the user's id. */
export async function hashOf(userId: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`unsent words of ${userId}`))
  return [...new Uint8Array(digest).slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
