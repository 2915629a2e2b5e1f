import { createElement, Suspense } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { decideRecovery, lazyComponent } from './lazy-component.ts'

const usual = { now: 100_000, reloadedAt: 0, isOnline: true, isReloadHeld: false }

test('a loaded part is rendered at once', async () => {
  const Part = lazyComponent(async () => () => 'part')
  const render = () => renderToStaticMarkup(createElement(Suspense, { fallback: 'wait' }, createElement(Part)))
  await Part.load()
  expect(render()).toBe('part')
})

test('a missing part reloads the page', () => {
  expect(decideRecovery(usual)).toBe('reload')
})

test('a second failure within ten seconds is shown (S9.25)', () => {
  expect(decideRecovery({ ...usual, reloadedAt: 90_001 })).toBe('give-up')
  expect(decideRecovery({ ...usual, reloadedAt: 90_000 })).toBe('reload')
})

test('a reload is only offered when something is unsaved', () => {
  expect(decideRecovery({ ...usual, isReloadHeld: true })).toBe('offer')
})

test('an offline page is not reloaded', () => {
  expect(decideRecovery({ ...usual, isOnline: false })).toBe('give-up')
})
