import { expect, test } from 'vitest'
import { hashOf, open, seal } from './box.ts'

async function aKey() {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return { x, y, d }
}

const bytes = (text: string) => new TextEncoder().encode(text)

test('only the private key opens what the public key has sealed (S10.587)', async () => {
  const [anna, boris] = [await aKey(), await aKey()]
  const box = await seal({ x: anna.x, y: anna.y }, bytes('Никому не говори'))
  expect(new TextDecoder().decode(box.data)).not.toContain('Никому')
  expect(new TextDecoder().decode(await open(anna, box))).toBe('Никому не говори')
  await expect(open(boris, box)).rejects.toThrow()
})

test('a changed box does not open, and equal words give different boxes', async () => {
  const anna = await aKey()
  const [first, second] = [await seal(anna, bytes('слово')), await seal(anna, bytes('слово'))]
  expect(new Uint8Array(first.data)).not.toEqual(new Uint8Array(second.data))
  const changed = new Uint8Array(first.data)
  changed[0] = (changed[0] ?? 0) ^ 1
  await expect(open(anna, { ...first, data: changed.buffer })).rejects.toThrow()
})

test('the name of a box hides the id of its owner', async () => {
  expect(await hashOf('u1')).toMatch(/^[0-9a-f]{32}$/)
  expect(await hashOf('u1')).not.toBe(await hashOf('u2'))
})
