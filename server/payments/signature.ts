import { verify } from 'node:crypto'
import { sameText } from '#server/lib/same-text.ts'
import { type BepaidSettings, importPublicKey } from './bepaid-settings.ts'

/** Did the gateway really send these bytes? */
export type IsGenuine = (body: Buffer, headers: Headers) => boolean

/**
 * With a public key the signature must fit the bytes as they came, and credentials, if any, must be ours.
 * Without one the credentials alone must do.
 */
export function createSignatureCheck({ shopId, secretKey, publicKey }: BepaidSettings): IsGenuine {
  const key = publicKey ? importPublicKey(publicKey) : null
  const credentials = basic(shopId, secretKey)
  return (body, headers) => {
    const given = headers.get('authorization')
    const known = given !== null && sameText(given, credentials)
    if (!key) return known
    const signature = Buffer.from(headers.get('content-signature') ?? '', 'base64')
    return verify('sha256', body, key, signature) && (given === null || known)
  }
}

export function basic(shopId: string, secretKey: string): string {
  return `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`
}
