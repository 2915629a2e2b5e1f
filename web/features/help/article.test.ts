import { expect, test } from 'vitest'
import { innerAddress } from './article.tsx'

const here = 'https://symbol.test/help/money/why'
const click = { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
const address = (href: string, target = '') => innerAddress({ href, target }, click, here)

test('a link to a screen is followed within the page', () => {
  expect(address('/help/money/refunds')).toBe('/help/money/refunds')
  expect(address('/profile?a=1#balance')).toBe('/profile?a=1#balance')
  expect(address('/help/start/keyboard#chat')).toBe('/help/start/keyboard#chat')
})

test('anchors, server addresses and other sites are left to the browser', () => {
  expect(address('#other')).toBeNull()
  expect(address('/help/money/why#other')).toBeNull()
  expect(address('/api/docs')).toBeNull()
  expect(address('https://bepaid.by/')).toBeNull()
  expect(address('/help/money/refunds', '_blank')).toBeNull()
})

test('a click for another tab is left to the browser', () => {
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'] as const) {
    expect(innerAddress({ href: '/help', target: '' }, { ...click, [key]: true }, here)).toBeNull()
  }
  expect(innerAddress({ href: '/help', target: '' }, { ...click, button: 1 }, here)).toBeNull()
})
