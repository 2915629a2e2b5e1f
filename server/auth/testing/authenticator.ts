import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Json = Record<string, unknown>
const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 }

/** A software passkey (WebAuthn level 2, ES256, no attestation): plays the browser and the device. */
export function createAuthenticator(origin: string, { verifiesUser = true } = {}) {
  const id = randomBytes(16)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  let counter = 0

  const flags = (more = 0) => FLAGS.present | (verifiesUser ? FLAGS.verified : 0) | more
  const head = (flag: number) => {
    counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flag]), count])
  }
  const clientData = (type: string, challenge: unknown) => Buffer.from(JSON.stringify({ type, challenge, origin }))

  return {
    /** Answers `navigator.credentials.create`. */
    create: ({ challenge }: Json): Json => {
      const key = new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const idLength = Buffer.from([0, id.length])
      const authData = Buffer.concat([head(flags(FLAGS.attested)), Buffer.alloc(16), idLength, id, cbor(key)])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return credential({
        clientDataJSON: base64(clientData('webauthn.create', challenge)),
        attestationObject: base64(cbor(attestation)),
        transports: ['internal'],
      })
    },
    /** Answers `navigator.credentials.get`. */
    get: ({ challenge }: Json): Json => {
      const authenticatorData = head(flags())
      const data = clientData('webauthn.get', challenge)
      const signature = createSign('sha256')
        .update(Buffer.concat([authenticatorData, sha256(data)]))
        .sign(privateKey)
      return credential({
        clientDataJSON: base64(data),
        authenticatorData: base64(authenticatorData),
        signature: base64(signature),
      })
    },
  }

  function credential(response: Json): Json {
    return { id: base64(id), rawId: base64(id), type: 'public-key', response, clientExtensionResults: {} }
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? start(1, -1 - value) : start(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([start(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([start(3, Buffer.byteLength(value)), Buffer.from(value)])
  const pairs = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([start(5, pairs.length), ...pairs.flat().map(cbor)])
}

function start(kind: number, size: number): Buffer {
  return size < 24 ? Buffer.from([(kind << 5) | size]) : Buffer.from([(kind << 5) | 24, size])
}
