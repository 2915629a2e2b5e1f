import { expect, test } from 'vitest'
import { errorLabel, formatClock, formatPrice, formatSize, retryPrice, segmentAt, stateLabel } from './labels.ts'

const spaces = (text: string) => text.replace(/\s/g, ' ')

test('lengths and sizes read naturally', () => {
  expect([formatClock(0), formatClock(65.9), formatClock(3725)]).toEqual(['0:00', '1:05', '1:02:05'])
  expect([formatSize(10), formatSize(2048), formatSize(1_500_000)].map(spaces)).toEqual(['1 КБ', '2 КБ', '1,4 МБ'])
})

test('the price is shown with the rest or the shortage', () => {
  const price = (seconds: number | null, available: number | null, minutePrice: number | null = 400) => {
    const { text, isShort } = formatPrice(seconds, { minutePrice, available })
    return [spaces(text), isShort]
  }
  expect(price(90, 1000)).toEqual(['600 символов, останется 400 символов', false])
  expect(price(90, 100)).toEqual(['600 символов, а на балансе 100 символов', true])
  expect(price(90, null)).toEqual(['600 символов', false])
  expect(price(null, 1000)).toEqual(['400 символов за минуту, длина будет известна после загрузки', false])
  expect(price(90, 0, null)).toEqual(['Бесплатно', false])
})

test('another try costs only what is unpaid, unless the model changes (S10.163)', () => {
  const failed = { durationMs: 90_000, paid: 200, modelId: 'a' }
  expect(retryPrice(failed, { id: 'a', minutePrice: 400 })).toBe(400)
  expect(retryPrice(failed, { id: 'b', minutePrice: 400 })).toBe(600)
  expect(retryPrice({ ...failed, durationMs: null }, { id: 'a', minutePrice: 400 })).toBeNull()
  expect(retryPrice(failed, { id: 'a', minutePrice: null })).toBeNull()
})

test('an unfinished recording shows its state in a few words', () => {
  const row = { partsDone: 0, partsTotal: null, received: 50, bytes: 200, error: null } as never
  const say = (status: string, more = {}) => stateLabel(Object.assign({ status }, row, more) as never)
  expect(say('ready')).toBeNull()
  expect(say('queued')).toBe('В очереди')
  expect(spaces(say('uploading') ?? '')).toBe('Загружено 25 %')
  expect(say('working')).toBe('Расшифровывается…')
  expect(say('working', { partsDone: 2, partsTotal: 5 })).toBe('Расшифровывается: 2 из 5 частей')
  expect(say('failed', { error: { code: 'stopped', message: '' } })).toBe('Остановлена')
})

test('a moment belongs to the last segment that has begun', () => {
  const segments = [{ start: 1 }, { start: 2 }, { start: 5 }]
  expect([0, 1, 1.5, 2, 4.9, 5, 100].map((at) => segmentAt(segments, at))).toEqual([-1, 0, 0, 1, 1, 2, 2])
  expect(segmentAt([], 3)).toBe(-1)
})

test('a recording without text shows what was paid', () => {
  expect(errorLabel({ code: 'stopped', message: '' }, 0)).toBe('Символы не списаны.')
  expect(errorLabel({ code: 'stopped', message: '' }, 30)).toMatch(/^Списано 30.символов за минуты, которые уже были/)
  expect(errorLabel({ code: 'model_failed', message: 'Модель не ответила.' }, 0)).toBe(
    'Модель не ответила. Символы не списаны.',
  )
})
