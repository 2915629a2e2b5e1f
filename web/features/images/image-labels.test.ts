import { expect, test } from 'vitest'
import type { Model } from '#contract/models.ts'
import { readDraft } from './form-draft.ts'
import { cancelLabel, cancelledLabel, countImages, drawingModels, formatPrice, skillsNote } from './image-labels.ts'

test('the price is shown with the rest of the balance', () => {
  expect(formatPrice(4, 2000, 20_000)).toEqual({
    text: '4 изображения · 8\u202f000\u00a0символов, останется 12\u202f000',
    isShort: false,
  })
  expect(formatPrice(1, 2000, 2000).isShort).toBe(false)
  expect(countImages(21)).toBe('21 изображение')
})

test('a price above the balance shows the balance', () => {
  expect(formatPrice(2, 2000, 3000)).toEqual({
    text: '2 изображения · 4\u202f000\u00a0символов, а на балансе 3\u202f000',
    isShort: true,
  })
})

test('only visible drawing models with a price are offered', () => {
  const model = (id: string, change: Partial<Model>) => ({ id, kind: 'image', hidden: false, imagePrice: 1, ...change })
  const models = [
    model('brush', {}),
    model('text', { kind: 'text' }),
    model('hidden', { hidden: true }),
    model('free', { imagePrice: null }),
  ] as Model[]
  expect(drawingModels(models).map(({ id }) => id)).toEqual(['brush'])
})

test('an unreadable draft is empty', () => {
  const empty = { prompt: '', modelId: null, size: 'auto', transparent: false, n: 1 }
  for (const text of [null, '', '{', '{"n":9}', '[]']) expect(readDraft(text)).toEqual(empty)
  const stored = { prompt: 'Кот', modelId: 'brush', size: '1024x1536', transparent: true, n: 3 }
  expect(readDraft(JSON.stringify(stored))).toEqual(stored)
  const { transparent: _, ...earlier } = stored
  expect(readDraft(JSON.stringify(earlier))).toEqual({ ...stored, transparent: false })
})

test('stopping an ordered picture shows its price before and after', () => {
  expect(cancelLabel([{ price: 300 }])).toMatch(
    /^Картинка уже заказана: за неё спишется 300.символов\. Первые 3 такие остановки за день бесплатны\.$/,
  )
  expect(cancelLabel([{ price: 300 }, { price: 300 }])).toMatch(/^Картинки уже заказаны: за них спишется 600.символов/)
  expect(cancelledLabel({ charged: 300, free: null })).toMatch(/списано 300.символов/)
  expect(cancelledLabel({ charged: 0, free: 2 })).toBe('Больше не рисуется. Бесплатная остановка 2 из 3')
})

test('a note says only what the model cannot do (S10.1537)', () => {
  const skills = (area: boolean, examples: number) =>
    skillsNote({
      ...{ changes: true, transparent: false, partial: false, sizes: [] },
      form: 'images',
      changePrice: null,
      area,
      examples,
    })
  expect(skills(true, 4)).toBe('')
  expect(skills(true, 0)).toBe('Образцы она не учитывает.')
  expect(skills(false, 4)).toContain('не видит выделения')
})
