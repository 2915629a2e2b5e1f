import { expect, test } from 'vitest'
import type { Image } from '#contract/images.ts'
import { anImage } from '#web/testing/samples.ts'
import { type ImagePages, imagesIn, mergeImages, removeImages } from './image-pages.ts'

const image = (id: string, change: Partial<Image> = {}) => anImage({ id, prompt: id, ...change })
const pages: ImagePages = {
  pages: [
    { items: [image('d'), image('c')], nextCursor: 'c' },
    { items: [image('b'), image('a')], nextCursor: null },
  ],
  pageParams: [null, 'c'],
}
const shown = (pages: ImagePages) => imagesIn(pages).map(({ id, status }) => `${id} ${status}`)

test('a ready picture stays in place, a new picture comes first', () => {
  const fresh = [image('b', { status: 'ready' }), image('e')]
  expect(shown(mergeImages(pages, fresh))).toEqual(['e making', 'd making', 'c making', 'b ready', 'a making'])
})

test('several new pictures keep their order and are added once', () => {
  const fresh = [image('f'), image('e')]
  const once = mergeImages(pages, fresh)
  expect(shown(mergeImages(once, fresh))).toEqual(shown(once))
  expect(shown(once).slice(0, 2)).toEqual(['f making', 'e making'])
})

test('a late response does not make a finished picture unfinished', () => {
  const ready = mergeImages(pages, [image('b', { status: 'ready' })])
  expect(shown(mergeImages(ready, [image('b')]))).toEqual(shown(ready))
})

test('a deleted picture leaves every page', () => {
  expect(shown(removeImages(pages, ['d', 'a', 'x']))).toEqual(['c making', 'b making'])
  expect(imagesIn(undefined)).toEqual([])
})
