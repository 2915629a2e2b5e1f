import { verify } from 'node:crypto'
import { sameText } from '#server/lib/secrets.ts'
import { type BepaidSettings, importPublicKey } from './bepaid-settings.ts'

/** Whether the gateway sent these bytes. */
export type IsGenuine = (body: Buffer, headers: Headers) => boolean

/**
 * With a public key the signature must match the raw bytes, and credentials, if sent, must be ours. Without a key the
 * credentials alone decide.
 */
export function createSignatureCheck({ shopId, secretKey, publicKey }: BepaidSettings): IsGenuine {
  const key = publicKey ? importPublicKey(publicKey) : null
  const credentials = basic(shopId, secretKey)
  return (body, headers) => {
    const given = headers.get('authorization')
    const isOurs = given !== null && sameText(given, credentials)
    if (!key) return isOurs
    const signature = Buffer.from(headers.get('content-signature') ?? '', 'base64')
    return verify('sha256', body, key, signature) && (given === null || isOurs)
  }
}

export function basic(shopId: string, secretKey: string): string {
  return `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`
}
