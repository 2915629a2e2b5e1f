import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSignatureCheck } from './bepaid.ts'
import type { BepaidSettings } from './bepaid-settings.ts'
import { basicAuth } from './gateway.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const base64 = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const url = 'https://bepaid.example.test'
const settings = (key: string | null): BepaidSettings => ({
  shopId: '361',
  secretKey: 'key',
  publicKey: key,
  apiUrl: url,
  checkoutUrl: url,
  gatewayUrl: url,
  methods: ['credit_card'],
  test: false,
})
const body = Buffer.from('{"transaction":{}}')
const signature = sign('sha256', body, privateKey).toString('base64')
const ours = basicAuth('361', 'key')

test.each([
  ['base64, as the back office shows it', base64],
  ['a whole PEM', pem],
  ['a PEM in one line of an environment file', pem.replaceAll('\n', '\\n')],
])('a public key is read from %s', (_, key) => {
  const isGenuine = createSignatureCheck(settings(key))
  expect(isGenuine(body, new Headers({ 'content-signature': signature, authorization: ours }))).toBe(true)
})

test('with a key the signature decides, and sent credentials must match (S10.52)', () => {
  const isGenuine = createSignatureCheck(settings(base64))
  expect(isGenuine(body, new Headers({ 'content-signature': signature }))).toBe(true)
  expect(isGenuine(body, new Headers({ authorization: ours }))).toBe(false)
  expect(isGenuine(body, new Headers({ 'content-signature': signature, authorization: basicAuth('361', 'no') }))).toBe(
    false,
  )
  expect(isGenuine(Buffer.from('{}'), new Headers({ 'content-signature': signature, authorization: ours }))).toBe(false)
})

test('without a key the credentials decide (S10.52)', () => {
  const isGenuine = createSignatureCheck(settings(null))
  expect(isGenuine(body, new Headers({ authorization: ours }))).toBe(true)
  expect(isGenuine(body, new Headers({ authorization: basicAuth('362', 'key') }))).toBe(false)
  expect(isGenuine(body, new Headers())).toBe(false)
})
