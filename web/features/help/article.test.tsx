import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { Article, innerAddress } from './article.tsx'

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

test('a button copies the code beside it (S10.984)', async () => {
  const html =
    '<div data-code><pre><code>curl https://a.test/v1</code></pre><button type="button" data-copy>Копировать</button></div>'
  const { user } = render(<Article html={html} onFollow={() => undefined} />)
  await user.click(screen.getByRole('button', { name: 'Копировать' }))
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('curl https://a.test/v1'))
})
